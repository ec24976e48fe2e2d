. "$SUPPORT/case.sh"
# Process pools, semaphores and shared memory.
works 'python3 -c "
from concurrent.futures import *
import multiprocessing
if __name__ == \"__main__\":
    print(list(ProcessPoolExecutor().map(abs, [1, -2])))
    with multiprocessing.Pool(2) as pool: print(pool.map(abs, [-3]))
    from multiprocessing import shared_memory
    m = shared_memory.SharedMemory(create=True, size=64); m.buf[0] = 7; n = shared_memory.SharedMemory(name=m.name); print(n.buf[0])
    n.close(); m.close(); m.unlink()
"'
check_out "$(printf '[1, 2]\n[3]\n7')"
check_quiet
