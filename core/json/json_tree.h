// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace core {

/// Where the values of one JSON value stand in a text: nothing is decoded, parents stand before their children. Costs
/// one pass; about 48 bytes a value.
class JsonTree final {
public:
    static constexpr uint32_t kNone = 0xffffffffU;

    struct Node {
        char opening = 0; ///< the first character of the value: `{`, `[`, `"`, or of a number, true, false or null
        uint64_t begin = 0;
        uint64_t end = 0;
        uint64_t keyBegin = 0; ///< of a member: the opening quote of its key
        uint64_t keyEnd = 0;   ///< behind the closing one; 0 for what is no member
        uint32_t parent = kNone;
        uint32_t place = 0; ///< among its parent's children

        [[nodiscard]] bool isMember() const { return keyEnd != 0; }
        /// Where the child begins as a part of its parent: a member with its key.
        [[nodiscard]] uint64_t outerBegin() const { return isMember() ? keyBegin : begin; }
    };

    /// The value that begins at `begin` of `text`, blanks skipped; nothing if it is no well-formed JSON or nested
    /// deeper than 1,024 levels. Offsets are those of `text`.
    [[nodiscard]] static std::optional<JsonTree> parse(std::string_view text, uint64_t begin);

    [[nodiscard]] std::span<const Node> nodes() const { return m_nodes; }
    [[nodiscard]] const Node &node(uint32_t index) const { return m_nodes[index]; }
    [[nodiscard]] const Node &root() const { return m_nodes.front(); }
    /// The children of a node, in order. Costs O(nodes inside of it).
    [[nodiscard]] std::vector<uint32_t> children(uint32_t index) const;
    /// The innermost value that holds `[begin, end)`; kNone if none does.
    [[nodiscard]] uint32_t innermost(uint64_t begin, uint64_t end) const;
    /// The member of an object, kNone if there is none.
    [[nodiscard]] uint32_t member(uint32_t object, std::string_view key) const;
    /// The key of a member as written, without quotes; empty for what is none.
    [[nodiscard]] std::string_view keyOf(uint32_t index) const;
    [[nodiscard]] std::string_view raw(uint32_t index) const
    {
        return m_text.substr(m_nodes[index].begin, m_nodes[index].end - m_nodes[index].begin);
    }

private:
    bool parseValue(uint64_t &at, uint32_t parent, uint32_t place, uint64_t keyBegin, uint64_t keyEnd, int depth);
    bool parseChildren(uint64_t &at, uint32_t self, int depth);
    [[nodiscard]] bool skipString(uint64_t &at) const;
    void skipBlanks(uint64_t &at) const;

    std::string_view m_text;
    std::vector<Node> m_nodes;
};

/// The arrays and objects that are open at each of `offsets` (ascending), outermost first, as the offsets of their
/// brackets. The text is read from `begin`, where nothing is open. Costs one pass.
[[nodiscard]] std::vector<std::vector<uint64_t>> openContainersAt(
    std::string_view text, uint64_t begin, std::span<const uint64_t> offsets);

} // namespace core
