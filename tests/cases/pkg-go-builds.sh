. "$SUPPORT/case.sh"
# A go build and its tests; the program opens many files at once, under the signals go sends itself.
need go
mkdir prog
printf 'module prog\n\ngo 1.19\n' >prog/go.mod
cat >prog/main.go <<'E'
package main

import (
	"fmt"
	"os"
	"sync"
)

func main() {
	var group sync.WaitGroup
	for i := 0; i < 200; i++ {
		group.Add(1)
		go func(i int) {
			defer group.Done()
			name := fmt.Sprintf("many/%d", i)
			for j := 0; j < 20; j++ {
				if err := os.WriteFile(name, []byte("x"), 0644); err != nil {
					fmt.Println(err)
				}
				if _, err := os.ReadFile(name); err != nil {
					fmt.Println(err)
				}
				os.Remove(name)
			}
		}(i)
	}
	group.Wait()
	fmt.Println("done")
}
E
printf 'package main\n\nimport "testing"\n\nfunc TestIt(t *testing.T) {}\n' >prog/main_test.go
export GOFLAGS=-mod=mod GOTOOLCHAIN=local
works 'cd prog && mkdir many && go build -o p . && go vet . && go test . >/dev/null && ./p && ls many'
check_out done
