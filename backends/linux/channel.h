// The messages between broker and front: a stream of frames, each a kind, a length and a body.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/error.h"
#include "launch/backend.h"
#include "os/fd.h"

namespace linux_backend {

enum class Message : std::uint8_t {
    started = 1,  ///< The command runs; the body is the interpreter's pid.
    stopped,      ///< The interpreter was stopped; the body is the signal.
    ended,        ///< The interpreter ended; the body is an Outcome.
    refused,      ///< Nothing ran; the body is an Error.
};

struct Frame {
    Message kind = Message::ended;
    std::string body;
};

/// Sends one frame; false when the other side is gone.
bool send_frame(const os::Fd& socket, Message kind, const std::string& body);

/// Waits for a frame; nothing when the other side is gone or what came is not a frame.
std::optional<Frame> receive_frame(const os::Fd& socket);

std::string encode(const launch::Outcome& outcome);
std::optional<launch::Outcome> decode_outcome(const std::string& body);
std::string encode(const core::Error& error);
core::Error decode_error(const std::string& body);

}  // namespace linux_backend
