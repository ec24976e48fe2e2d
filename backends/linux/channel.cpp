// Frames on a stream socket; bodies are JSON where they have structure.
#include "linux/channel.h"

#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <nlohmann/json.hpp>

#include "report/wire.h"

namespace linux_backend {
namespace {

using nlohmann::json;

constexpr std::uint32_t body_limit = 64U << 20;

struct Header {
    std::uint32_t kind;
    std::uint32_t length;
};

bool send_all(int socket, const char* data, std::size_t size) {
    while (size > 0) {
        const ssize_t sent = ::send(socket, data, size, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent <= 0) return false;
        data += sent;
        size -= static_cast<std::size_t>(sent);
    }
    return true;
}

bool receive_all(int socket, char* data, std::size_t size) {
    while (size > 0) {
        const ssize_t received = ::recv(socket, data, size, 0);
        if (received < 0 && errno == EINTR) continue;
        if (received <= 0) return false;
        data += received;
        size -= static_cast<std::size_t>(received);
    }
    return true;
}

/// Texts here may hold any bytes; JSON strings may not.
constexpr auto lossy = json::error_handler_t::replace;

}  // namespace

bool send_frame(const os::Fd& socket, Message kind, const std::string& body) {
    const Header header{static_cast<std::uint32_t>(kind), static_cast<std::uint32_t>(body.size())};
    std::string frame(reinterpret_cast<const char*>(&header), sizeof header);
    frame += body;
    return send_all(socket.get(), frame.data(), frame.size());
}

std::optional<Frame> receive_frame(const os::Fd& socket) {
    Header header;
    if (!receive_all(socket.get(), reinterpret_cast<char*>(&header), sizeof header))
        return std::nullopt;
    if (header.length > body_limit) return std::nullopt;
    Frame frame{static_cast<Message>(header.kind), std::string(header.length, '\0')};
    if (!receive_all(socket.get(), frame.body.data(), frame.body.size())) return std::nullopt;
    return frame;
}

std::string encode(const launch::Outcome& outcome) {
    json denials = json::array();
    for (const report::Denial& denial : outcome.denials) denials.push_back(report::to_json(denial));
    return json{{"status", outcome.wait_status},
                {"denials", std::move(denials)},
                {"dropped", outcome.dropped_denials},
                {"all_ended", outcome.all_ended},
                {"notes", outcome.notes}}
        .dump(-1, ' ', false, lossy);
}

std::optional<launch::Outcome> decode_outcome(const std::string& body) {
    const json value = json::parse(body, nullptr, false);
    if (!value.is_object()) return std::nullopt;
    try {
        launch::Outcome outcome;
        outcome.wait_status = value.at("status").get<int>();
        outcome.dropped_denials = value.at("dropped").get<unsigned long>();
        outcome.all_ended = value.at("all_ended").get<bool>();
        outcome.notes = value.at("notes").get<std::vector<std::string>>();
        for (const json& entry : value.at("denials"))
            if (auto denial = report::from_json(entry.get<std::string>()))
                outcome.denials.push_back(std::move(*denial));
        return outcome;
    } catch (const json::exception&) {
        return std::nullopt;
    }
}

std::string encode(const core::Error& error) {
    return json{{"operation", error.operation},
                {"object", error.object},
                {"code", error.code},
                {"detail", error.detail},
                {"remedy", error.remedy}}
        .dump(-1, ' ', false, lossy);
}

core::Error decode_error(const std::string& body) {
    const json value = json::parse(body, nullptr, false);
    if (!value.is_object())
        return core::Error{"start the sandbox", "broker", 0, "its answer could not be read", ""};
    return core::Error{value.value("operation", ""), value.value("object", ""),
                       value.value("code", 0), value.value("detail", ""),
                       value.value("remedy", "")};
}

}  // namespace linux_backend
