// The handlers of socket calls, called for this process as if it were the caller; what they do is
// seen on real sockets.
#include "linux/broker/socket.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/ipc.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include <doctest/doctest.h>
#include <cerrno>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "linux/broker/broker.h"
#include "linux/broker/handlers.h"
#include "os/tree.h"
#include "policy/load.h"

using namespace linux_backend;

namespace {

/// Takes the answers that come from threads of their own.
class FakeListener final : public Listener {
  public:
    Received receive(seccomp_notif&) override { return Received::nothing; }
    bool waiting(int) override { return false; }
    bool valid(std::uint64_t) override { return true; }
    bool send(std::uint64_t, Answer answer) override {
        const std::scoped_lock hold(lock_);
        answer_ = std::move(answer);
        arrived_.notify_all();
        return true;
    }
    Answer wait() {
        std::unique_lock hold(lock_);
        arrived_.wait(hold, [&] { return answer_.has_value(); });
        Answer answer = std::move(*answer_);
        answer_.reset();
        return answer;
    }

  private:
    std::mutex lock_;
    std::condition_variable arrived_;
    std::optional<Answer> answer_;
};

struct NoSurroundings : policy::Surroundings {
    Resolved resolve(const std::string&) const override { return {}; }
    bool has_ignore_files(const std::string&) const override { return false; }
};

/// A broker whose workspace is a new directory. Never destroyed: its threads live as long as the
/// process.
struct Sandbox {
    std::string workspace = "/tmp/sockets-XXXXXX";
    os::RealTree tree;
    FakeListener* listener = nullptr;
    std::optional<launch::Plan> plan;
    std::optional<Broker> broker;

    Sandbox() {
        REQUIRE(::mkdtemp(workspace.data()) != nullptr);
        policy::Variables variables;
        variables.workspace = workspace;
        variables.homes = {"/home/nobody"};
        variables.temporary = {"/tmp"};
        auto policy = policy::load({}, variables, NoSurroundings());
        REQUIRE(policy);
        plan.emplace(launch::Plan{.policy = std::move(*policy)});
        auto fake = std::make_unique<FakeListener>();
        listener = fake.get();
        Start start;
        start.interpreter = ::getpid();
        broker.emplace(*plan, tree, std::move(start), std::string(), nullptr);
        broker->attach(std::move(fake), {});
    }

    template <class... Arguments>
    Answer call(int number, Arguments... arguments) {
        seccomp_notif notification = {};
        notification.id = 1;
        notification.pid = static_cast<std::uint32_t>(::syscall(SYS_gettid));
        notification.data.nr = number;
        int index = 0;
        ((notification.data.args[index++] = (std::uint64_t)arguments), ...);
        const SyscallRow& row = syscall_row(number);
        REQUIRE((row.handler != nullptr));
        Answer answer = row.handler(Call(*broker, notification, row));
        return answer.kind == Answer::Kind::later ? listener->wait() : std::move(answer);
    }

    std::string last_refusal() {
        const auto all = broker->denials().all();
        return all.empty() ? "" : all.back().operation + " " + all.back().object;
    }
    std::size_t refusals() { return broker->denials().all().size(); }
};

Sandbox& sandbox() {
    static Sandbox* const one = [] {
        std::atexit([] { std::filesystem::remove_all(sandbox().workspace); });
        return new Sandbox;
    }();
    return *one;
}

int error_of(const Answer& answer) {
    return answer.kind == Answer::Kind::error ? answer.error_number : 0;
}

struct InternetName {
    sockaddr_in6 six = {};
    sockaddr_in four = {};
    bool is_six;
    explicit InternetName(std::uint32_t host, std::uint16_t port) : is_six(false) {
        four.sin_family = AF_INET;
        four.sin_addr.s_addr = htonl(host);
        four.sin_port = htons(port);
    }
    explicit InternetName(const in6_addr& host, std::uint16_t port) : is_six(true) {
        six.sin6_family = AF_INET6;
        six.sin6_addr = host;
        six.sin6_port = htons(port);
    }
    const sockaddr* get() const {
        return is_six ? reinterpret_cast<const sockaddr*>(&six)
                      : reinterpret_cast<const sockaddr*>(&four);
    }
    socklen_t size() const { return is_six ? sizeof six : sizeof four; }
};

os::Fd make_socket(int domain, int type) {
    os::Fd fd(::socket(domain, type | SOCK_CLOEXEC, 0));
    REQUIRE(fd);
    return fd;
}

SocketAddress name_of(const os::Fd& fd) {
    SocketAddress name;
    name.length = sizeof name.storage;
    REQUIRE(::getsockname(fd.get(), reinterpret_cast<sockaddr*>(&name.storage), &name.length) == 0);
    return name;
}

std::uint16_t port_of(const os::Fd& fd) {
    return internet_address(name_of(fd))->port;
}

os::Fd outside_server(int type) {
    os::Fd fd = make_socket(AF_INET, type);
    const InternetName name(INADDR_LOOPBACK, 0);
    REQUIRE(::bind(fd.get(), name.get(), name.size()) == 0);
    if (type == SOCK_STREAM) REQUIRE(::listen(fd.get(), 5) == 0);
    return fd;
}

os::Fd inside_server(int domain, int type, const InternetName& name) {
    os::Fd fd = make_socket(domain, type);
    REQUIRE(sandbox().call(SYS_bind, fd.get(), name.get(), name.size()).kind ==
            Answer::Kind::value);
    if (type == SOCK_STREAM)
        REQUIRE(sandbox().call(SYS_listen, fd.get(), 5).kind == Answer::Kind::value);
    return fd;
}

std::string interface_of(const os::Fd& fd) {
    char name[16] = "";
    socklen_t size = sizeof name;
    REQUIRE(::getsockopt(fd.get(), SOL_SOCKET, SO_BINDTODEVICE, name, &size) == 0);
    return name;
}

/// The address of this machine from which it would send to the internet; loopback when it has none.
std::uint32_t own_address() {
    const os::Fd probe = make_socket(AF_INET, SOCK_DGRAM);
    const InternetName away(0x01020304, 9);
    if (::connect(probe.get(), away.get(), away.size()) != 0) return INADDR_LOOPBACK;
    const SocketAddress name = name_of(probe);
    return ntohl(reinterpret_cast<const sockaddr_in&>(name.storage).sin_addr.s_addr);
}

bool has_input(const os::Fd& fd) {
    char byte;
    const int flags = ::fcntl(fd.get(), F_GETFL);
    ::fcntl(fd.get(), F_SETFL, flags | O_NONBLOCK);
    const ssize_t got = ::recv(fd.get(), &byte, 1, 0);
    ::fcntl(fd.get(), F_SETFL, flags);
    return got == 1;
}

sockaddr_un unix_address(const std::string& path) {
    sockaddr_un address = {};
    address.sun_family = AF_UNIX;
    REQUIRE(path.size() < sizeof address.sun_path);
    std::memcpy(address.sun_path, path.data(), path.size());
    return address;
}

}  // namespace

TEST_CASE(
    "a connection to a listener made outside is refused and named; one made inside is reached") {
    const os::Fd outside = outside_server(SOCK_STREAM);
    const os::Fd client = make_socket(AF_INET, SOCK_STREAM);
    const InternetName there(INADDR_LOOPBACK, port_of(outside));
    CHECK(error_of(sandbox().call(SYS_connect, client.get(), there.get(), there.size())) == EACCES);
    CHECK(sandbox().last_refusal() ==
          "connect to 127.0.0.1:" + std::to_string(port_of(outside)) + " (tcp)");
    ::fcntl(outside.get(), F_SETFL, O_NONBLOCK);
    CHECK(::accept(outside.get(), nullptr, nullptr) == -1);

    const os::Fd inside = inside_server(AF_INET, SOCK_STREAM, InternetName(INADDR_LOOPBACK, 0));
    const InternetName here(INADDR_LOOPBACK, port_of(inside));
    CHECK(error_of(sandbox().call(SYS_connect, client.get(), here.get(), here.size())) == 0);
    CHECK(::accept(inside.get(), nullptr, nullptr) >= 0);
}

TEST_CASE("a port where nobody listens refuses the connection itself, and nothing is recorded") {
    std::uint16_t port = 0;
    {
        const os::Fd gone = outside_server(SOCK_STREAM);
        port = port_of(gone);
    }
    const std::size_t before = sandbox().refusals();
    const os::Fd client = make_socket(AF_INET, SOCK_STREAM);
    const InternetName there(INADDR_LOOPBACK, port);
    CHECK(error_of(sandbox().call(SYS_connect, client.get(), there.get(), there.size())) ==
          ECONNREFUSED);
    CHECK(sandbox().refusals() == before);
}

TEST_CASE("a server for all addresses is kept to loopback, and reached there by every local name") {
    const os::Fd four = inside_server(AF_INET, SOCK_STREAM, InternetName(INADDR_ANY, 0));
    CHECK(host_and_port(*internet_address(name_of(four))) ==
          "0.0.0.0:" + std::to_string(port_of(four)));
    CHECK(interface_of(four) == "lo");
    const os::Fd both = inside_server(AF_INET6, SOCK_STREAM, InternetName(in6addr_any, 0));
    CHECK(interface_of(both) == "lo");
    for (const os::Fd* server : {&four, &both}) {
        for (const std::uint32_t host : {std::uint32_t{INADDR_LOOPBACK}, std::uint32_t{INADDR_ANY},
                                         INADDR_LOOPBACK + 7U, own_address()}) {
            const InternetName there(host, port_of(*server));
            CHECK(error_of(sandbox().call(SYS_connect, make_socket(AF_INET, SOCK_STREAM).get(),
                                          there.get(), there.size())) == 0);
        }
    }
    const InternetName by_six(in6addr_loopback, port_of(both));
    CHECK(error_of(sandbox().call(SYS_connect, make_socket(AF_INET6, SOCK_STREAM).get(),
                                  by_six.get(), by_six.size())) == 0);
}

TEST_CASE("listening without a name is kept to loopback") {
    for (const int domain : {AF_INET, AF_INET6}) {
        const os::Fd server = make_socket(domain, SOCK_STREAM);
        CHECK(error_of(sandbox().call(SYS_listen, server.get(), 5)) == 0);
        CHECK(interface_of(server) == "lo");
        const InternetName there(INADDR_LOOPBACK, port_of(server));
        const os::Fd client = make_socket(AF_INET, SOCK_STREAM);
        CHECK(error_of(sandbox().call(SYS_connect, client.get(), there.get(), there.size())) == 0);
    }
}

TEST_CASE("an address of another machine can be neither bound to nor connected to") {
    const os::Fd socket = make_socket(AF_INET, SOCK_STREAM);
    const InternetName there(0x01020304, 80);
    CHECK(error_of(sandbox().call(SYS_bind, socket.get(), there.get(), there.size())) == EACCES);
    CHECK(sandbox().last_refusal() == "bind to 1.2.3.4:80 (tcp)");
    CHECK(error_of(sandbox().call(SYS_connect, socket.get(), there.get(), there.size())) == EACCES);
    CHECK(sandbox().last_refusal() == "connect to 1.2.3.4:80 (tcp)");
}

TEST_CASE(
    "a datagram reaches a socket made inside, the reply comes back, and one made outside gets "
    "nothing") {
    const os::Fd server = inside_server(AF_INET, SOCK_DGRAM, InternetName(INADDR_LOOPBACK, 0));
    const os::Fd client = make_socket(AF_INET, SOCK_DGRAM);
    const InternetName there(INADDR_LOOPBACK, port_of(server));
    CHECK(
        sandbox().call(SYS_sendto, client.get(), "hello", 5, 0, there.get(), there.size()).number ==
        5);
    CHECK(has_input(server));
    const InternetName back(INADDR_LOOPBACK, port_of(client));
    CHECK(sandbox().call(SYS_sendto, server.get(), "reply", 5, 0, back.get(), back.size()).number ==
          5);
    CHECK(has_input(client));

    const os::Fd outside = outside_server(SOCK_DGRAM);
    InternetName away(INADDR_LOOPBACK, port_of(outside));
    CHECK(error_of(sandbox().call(SYS_sendto, client.get(), "x", 1, 0, away.get(), away.size())) ==
          EACCES);
    CHECK(sandbox().last_refusal() ==
          "send to 127.0.0.1:" + std::to_string(port_of(outside)) + " (udp)");
    // sendto(2) takes AF_UNSPEC for AF_INET.
    away.four.sin_family = AF_UNSPEC;
    CHECK(error_of(sandbox().call(SYS_sendto, client.get(), "x", 1, 0, away.get(), away.size())) ==
          EACCES);
    CHECK_FALSE(has_input(outside));
    CHECK(::sendto(client.get(), "x", 1, 0, away.get(), away.size()) == 1);
    CHECK(has_input(outside));
}

TEST_CASE("of several messages those before the refused one are sent") {
    const os::Fd server = inside_server(AF_INET, SOCK_DGRAM, InternetName(INADDR_LOOPBACK, 0));
    const os::Fd outside = outside_server(SOCK_DGRAM);
    const os::Fd client = make_socket(AF_INET, SOCK_DGRAM);
    InternetName here(INADDR_LOOPBACK, port_of(server));
    InternetName away(INADDR_LOOPBACK, port_of(outside));
    iovec bytes{const_cast<char*>("abc"), 3};
    mmsghdr messages[3] = {};
    for (mmsghdr& message : messages) {
        message.msg_hdr.msg_name = &here.four;
        message.msg_hdr.msg_namelen = here.size();
        message.msg_hdr.msg_iov = &bytes;
        message.msg_hdr.msg_iovlen = 1;
    }
    messages[2].msg_hdr.msg_name = &away.four;
    const Answer answer = sandbox().call(SYS_sendmmsg, client.get(), messages, 3, 0);
    CHECK(answer.kind == Answer::Kind::value);
    CHECK(answer.number == 2);
    CHECK(messages[0].msg_len == 3);
    CHECK(messages[1].msg_len == 3);
    CHECK(messages[2].msg_len == 0);
    CHECK_FALSE(has_input(outside));
}

TEST_CASE("a control message that sets a source route is refused") {
    const os::Fd server = inside_server(AF_INET6, SOCK_DGRAM, InternetName(in6addr_loopback, 0));
    const os::Fd client = make_socket(AF_INET6, SOCK_DGRAM);
    InternetName there(in6addr_loopback, port_of(server));
    iovec bytes{const_cast<char*>("abc"), 3};
    alignas(cmsghdr) char control[CMSG_SPACE(24)] = {};
    msghdr message = {};
    message.msg_name = &there.six;
    message.msg_namelen = there.size();
    message.msg_iov = &bytes;
    message.msg_iovlen = 1;
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    auto* header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = IPPROTO_IPV6;
    header->cmsg_type = IPV6_RTHDR;
    header->cmsg_len = CMSG_LEN(24);
    CHECK(error_of(sandbox().call(SYS_sendmsg, client.get(), &message, 0)) == EPERM);
    message.msg_controllen = 0;
    CHECK(sandbox().call(SYS_sendmsg, client.get(), &message, 0).number == 3);
}

TEST_CASE("a stream message larger than every buffer is sent whole, and passes a descriptor") {
    int ends[2];
    REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
    const os::Fd one(ends[0]);
    const os::Fd other(ends[1]);
    std::vector<char> sent(3 << 20);
    for (std::size_t index = 0; index < sent.size(); ++index)
        sent[index] = static_cast<char>(index * 7 >> 3);
    iovec parts[2] = {{sent.data(), 1000}, {sent.data() + 1000, sent.size() - 1000}};
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
    msghdr message = {};
    message.msg_iov = parts;
    message.msg_iovlen = 2;
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    auto* header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    std::memcpy(CMSG_DATA(header), &ends[0], sizeof(int));

    std::vector<char> received;
    int passed = -1;
    std::thread reader([&] {
        std::vector<char> buffer(65536);
        while (received.size() < sent.size()) {
            iovec into{buffer.data(), buffer.size()};
            alignas(cmsghdr) char room[CMSG_SPACE(sizeof(int))] = {};
            msghdr incoming = {};
            incoming.msg_iov = &into;
            incoming.msg_iovlen = 1;
            incoming.msg_control = room;
            incoming.msg_controllen = sizeof room;
            const ssize_t size = ::recvmsg(ends[1], &incoming, MSG_CMSG_CLOEXEC);
            if (size <= 0) return;
            if (auto* got = CMSG_FIRSTHDR(&incoming))
                std::memcpy(&passed, CMSG_DATA(got), sizeof passed);
            received.insert(received.end(), buffer.data(), buffer.data() + size);
        }
    });
    const Answer answer = sandbox().call(SYS_sendmsg, ends[0], &message, 0);
    reader.join();
    CHECK(answer.number == static_cast<std::int64_t>(sent.size()));
    CHECK((received == sent));
    const os::Fd copy(passed);
    struct stat original = {};
    struct stat copied = {};
    REQUIRE(::fstat(ends[0], &original) == 0);
    REQUIRE(::fstat(passed, &copied) == 0);
    CHECK(original.st_ino == copied.st_ino);
}

TEST_CASE("a stream that would wait sends what it can when it may not wait") {
    int ends[2];
    REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
    const os::Fd one(ends[0]);
    const os::Fd other(ends[1]);
    std::vector<char> bytes(8 << 20);
    iovec part{bytes.data(), bytes.size()};
    msghdr message = {};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    const Answer first = sandbox().call(SYS_sendmsg, ends[0], &message, MSG_DONTWAIT);
    CHECK(first.number > 0);
    CHECK(first.number < static_cast<std::int64_t>(bytes.size()));
    CHECK(error_of(sandbox().call(SYS_sendmsg, ends[0], &message, MSG_DONTWAIT)) == EAGAIN);
}

namespace {
volatile sig_atomic_t broken_pipes = 0;
}

TEST_CASE("a broken stream gives the caller SIGPIPE with EPIPE, unless it asked for none") {
    struct sigaction before = {};
    struct sigaction counting = {};
    counting.sa_handler = [](int) { broken_pipes = broken_pipes + 1; };
    REQUIRE(::sigaction(SIGPIPE, &counting, &before) == 0);
    int ends[2];
    REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
    const os::Fd one(ends[0]);
    ::close(ends[1]);
    iovec part{const_cast<char*>("x"), 1};
    msghdr message = {};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    CHECK(error_of(sandbox().call(SYS_sendmsg, ends[0], &message, MSG_NOSIGNAL)) == EPIPE);
    CHECK(broken_pipes == 0);
    CHECK(error_of(sandbox().call(SYS_sendmsg, ends[0], &message, 0)) == EPIPE);
    CHECK(broken_pipes == 1);
    ::sigaction(SIGPIPE, &before, nullptr);
}

TEST_CASE(
    "a unix socket made inside has the name that the caller gave, and is reached under every path "
    "to it") {
    const std::string path = sandbox().workspace + "/inside";
    const os::Fd server = make_socket(AF_UNIX, SOCK_STREAM);
    const sockaddr_un address = unix_address(path);
    REQUIRE(error_of(sandbox().call(SYS_bind, server.get(), &address, sizeof address)) == 0);
    CHECK(unix_name(name_of(server))->text == path);
    CHECK(error_of(sandbox().call(SYS_bind, make_socket(AF_UNIX, SOCK_STREAM).get(), &address,
                                  sizeof address)) == EADDRINUSE);
    REQUIRE(error_of(sandbox().call(SYS_listen, server.get(), 5)) == 0);
    const std::string link = sandbox().workspace + "/link";
    REQUIRE(::symlink("inside", link.c_str()) == 0);
    for (const std::string& name : {path, link}) {
        const sockaddr_un to = unix_address(name);
        const os::Fd client = make_socket(AF_UNIX, SOCK_STREAM);
        CHECK(error_of(sandbox().call(SYS_connect, client.get(), &to, sizeof to)) == 0);
        CHECK(::accept(server.get(), nullptr, nullptr) >= 0);
    }
}

TEST_CASE("a unix socket made outside is refused under every path to it, and named by its own") {
    const std::string path = sandbox().workspace + "/outside";
    const os::Fd server = make_socket(AF_UNIX, SOCK_STREAM);
    const sockaddr_un address = unix_address(path);
    REQUIRE(::bind(server.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
    REQUIRE(::listen(server.get(), 5) == 0);
    const std::string link = sandbox().workspace + "/other-link";
    REQUIRE(::symlink("outside", link.c_str()) == 0);
    for (const std::string& name : {path, link}) {
        const sockaddr_un to = unix_address(name);
        const os::Fd client = make_socket(AF_UNIX, SOCK_STREAM);
        CHECK(error_of(sandbox().call(SYS_connect, client.get(), &to, sizeof to)) == EACCES);
        CHECK(sandbox().last_refusal() == "connect to unix socket " + path);
    }
    const sockaddr_un absent = unix_address(sandbox().workspace + "/absent");
    CHECK(error_of(sandbox().call(SYS_connect, make_socket(AF_UNIX, SOCK_STREAM).get(), &absent,
                                  sizeof absent)) == ENOENT);
}

TEST_CASE("a unix socket is not made where nothing may be written") {
    const sockaddr_un address = unix_address("/usr/sbxsh-test-socket");
    CHECK(error_of(sandbox().call(SYS_bind, make_socket(AF_UNIX, SOCK_STREAM).get(), &address,
                                  sizeof address)) == EACCES);
    CHECK(sandbox().last_refusal() == "create socket /usr/sbxsh-test-socket");
    struct stat status;
    CHECK(::lstat("/usr/sbxsh-test-socket", &status) == -1);
}

TEST_CASE(
    "an abstract name is reached when it was made inside, also by autobind, and refused "
    "otherwise") {
    const os::Fd server = make_socket(AF_UNIX, SOCK_DGRAM);
    const sa_family_t family = AF_UNIX;
    REQUIRE(error_of(sandbox().call(SYS_bind, server.get(), &family, sizeof family)) == 0);
    SocketAddress to = name_of(server);
    const os::Fd client = make_socket(AF_UNIX, SOCK_DGRAM);
    CHECK(sandbox().call(SYS_sendto, client.get(), "x", 1, 0, &to.storage, to.length).number == 1);
    CHECK(has_input(server));

    const os::Fd outside = make_socket(AF_UNIX, SOCK_DGRAM);
    REQUIRE(::bind(outside.get(), reinterpret_cast<const sockaddr*>(&family), sizeof family) == 0);
    to = name_of(outside);
    CHECK(error_of(sandbox().call(SYS_sendto, client.get(), "x", 1, 0, &to.storage, to.length)) ==
          EACCES);
    CHECK(sandbox().last_refusal() == "send to unix socket @" + unix_name(to)->text);
    CHECK_FALSE(has_input(outside));
}

TEST_CASE("a descriptor that is no socket, or none, gets the kernel's errors") {
    const os::Fd file(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    const InternetName there(INADDR_LOOPBACK, 80);
    CHECK(error_of(sandbox().call(SYS_connect, file.get(), there.get(), there.size())) == ENOTSOCK);
    CHECK(error_of(sandbox().call(SYS_connect, -1, there.get(), there.size())) == EBADF);
    CHECK(error_of(sandbox().call(SYS_connect, make_socket(AF_INET, SOCK_STREAM).get(), 8,
                                  there.size())) == EFAULT);
}

TEST_CASE(
    "kinds of sockets that reach past the sandbox are refused; what programs try is answered "
    "quietly") {
    CHECK(error_of(sandbox().call(SYS_socket, AF_PACKET, SOCK_RAW, 0)) == EACCES);
    CHECK(sandbox().last_refusal() == "create AF_PACKET socket");
    CHECK(error_of(sandbox().call(SYS_socket, AF_INET, SOCK_RAW | SOCK_CLOEXEC, IPPROTO_ICMP)) ==
          EACCES);
    CHECK(sandbox().last_refusal() == "create raw socket");
    const std::size_t before = sandbox().refusals();
    CHECK(error_of(sandbox().call(SYS_socket, AF_INET, SOCK_STREAM, 262)) == EPROTONOSUPPORT);
    CHECK(error_of(sandbox().call(SYS_socket, 1000, SOCK_STREAM, 0)) == EAFNOSUPPORT);
    CHECK(error_of(sandbox().call(SYS_socketpair, AF_INET, SOCK_STREAM, 0, 0)) == EOPNOTSUPP);
    CHECK(sandbox().refusals() == before);
}

TEST_CASE("shared memory made inside may be used until it is removed; that of others may not") {
    const int outside = ::shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600);
    REQUIRE(outside >= 0);
    CHECK(error_of(sandbox().call(SYS_shmat, outside, 0, 0)) == EACCES);
    CHECK(sandbox().last_refusal() == "use shared memory " + std::to_string(outside));
    CHECK(error_of(sandbox().call(SYS_shmctl, outside, IPC_RMID, 0)) == EACCES);
    CHECK(::shmctl(outside, IPC_RMID, nullptr) == 0);

    const Answer made = sandbox().call(SYS_shmget, IPC_PRIVATE, 4096, 0600);
    REQUIRE(made.kind == Answer::Kind::value);
    CHECK(sandbox().call(SYS_shmat, made.number, 0, 0).kind == Answer::Kind::proceed);
    // As natively it lives on while it is attached.
    void* const memory = ::shmat(static_cast<int>(made.number), nullptr, 0);
    CHECK(error_of(sandbox().call(SYS_shmctl, made.number, IPC_RMID, 0)) == 0);
    CHECK(sandbox().call(SYS_shmat, made.number, 0, 0).kind == Answer::Kind::proceed);
    REQUIRE(::shmdt(memory) == 0);
    const std::size_t before = sandbox().refusals();
    CHECK(error_of(sandbox().call(SYS_shmat, made.number, 0, 0)) == EINVAL);
    CHECK(sandbox().refusals() == before);
}
