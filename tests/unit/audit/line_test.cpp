// One line of JSON of bounded size.
#include "audit/line.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <random>

using audit::Line;

TEST_CASE("texts and numbers become one line of JSON") {
    Line line;
    line.field("a", "x \"y\" \\ \n\t\x1b\x7f é", 100)
        .field("n", -5)
        .field("list", {"1", "", "ü"}, 100);
    CHECK(line.take() ==
          "{\"a\":\"x \\\"y\\\" \\\\ \\n\\t\\u001b\\u007f "
          "é\",\"n\":-5,\"list\":[\"1\",\"\",\"ü\"]}\n");
}

TEST_CASE("what is no UTF-8 is replaced") {
    Line line;
    line.field("a", "\xff|\xc3|\xe2\x82|\xc0\xaf|\xed\xa0\x80|\xf4\x90\x80\x80", 1000);
    CHECK(line.take() ==
          "{\"a\":\"\\ufffd|\\ufffd|\\ufffd\\ufffd|\\ufffd\\ufffd|\\ufffd\\ufffd\\ufffd|"
          "\\ufffd\\ufffd\\ufffd\\ufffd\"}\n");
}

TEST_CASE("a text that is too long is cut at a character and marked") {
    CHECK(Line().field("a", "12345678", 8).take() == "{\"a\":\"12345678\"}\n");
    CHECK(Line().field("a", "123456789", 8).take() == "{\"a\":\"12345…\"}\n");
    CHECK(Line().field("a", "1234ü6789", 8).take() == "{\"a\":\"1234…\"}\n");
    CHECK(Line().field("a", {"1234", "5678", "9"}, 18).take() ==
          "{\"a\":[\"1234\",\"5678\",\"…\"]}\n");
}

TEST_CASE("any bytes at any limit give well-formed JSON within the limit") {
    std::mt19937 random(7);
    for (int round = 0; round < 3000; ++round) {
        std::string text(random() % 40, '\0');
        for (char& byte : text)
            byte = static_cast<char>(random() % 3
                                         ? "aé\xe2\x82\xac\n\"\\\x01\xf0\x9f\x98\x80"[random() % 16]
                                         : random());
        const std::size_t limit = 3 + random() % 60;
        const std::string line = Line().field("a", text, limit).take();
        CHECK(line.size() <= limit + std::string("{\"a\":\"\"}\n").size());
        CHECK(nlohmann::json::accept(line));
        CHECK(line.find('\n') == line.size() - 1);
    }
}

TEST_CASE("a time is written as UTC") {
    CHECK(audit::utc_text(0) == "1970-01-01T00:00:00.000000Z");
    CHECK(audit::utc_text(1'709'210'096'123'456'789) == "2024-02-29T12:34:56.123456Z");
}
