// Another current directory for a while.
#pragma once

#include <filesystem>
#include <string>

namespace scratch {

/// Goes into a directory for as long as it lives.
class Visit {
  public:
    explicit Visit(const std::string& path) : back_(std::filesystem::current_path().string()) {
        std::filesystem::current_path(path);
    }
    Visit(const Visit&) = delete;
    Visit& operator=(const Visit&) = delete;
    ~Visit() { std::filesystem::current_path(back_); }

  private:
    std::string back_;
};

}  // namespace scratch
