// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace core {

/// The structure of one JSON value as offsets into its text. Nothing is decoded. Parents precede their children. Costs
/// one pass and about 48 bytes a value.
class JsonTree final {
public:
    static constexpr uint32_t kNone = 0xffffffffU;

    struct Node {
        char opening = 0; ///< first character of the value: `{`, `[`, `"`, or the first of a number, true, false or
                          ///< null
        uint64_t begin = 0;
        uint64_t end = 0;
        uint64_t keyBegin = 0; ///< for a member: offset of its key's opening quote
        uint64_t keyEnd = 0;   ///< behind the key's closing quote; 0 if the node is not a member
        uint32_t parent = kNone;
        uint32_t place = 0; ///< index among its parent's children

        [[nodiscard]] bool isMember() const { return keyEnd != 0; }
        /// Start of the child including its key, if it has one.
        [[nodiscard]] uint64_t outerBegin() const { return isMember() ? keyBegin : begin; }
    };

    /// Parses the value at `begin`, after blanks. nullopt if it is malformed or nested deeper than 1,024 levels.
    /// Offsets count from the start of `text`.
    [[nodiscard]] static std::optional<JsonTree> parse(std::string_view text, uint64_t begin);

    [[nodiscard]] std::span<const Node> nodes() const { return m_nodes; }
    [[nodiscard]] const Node &node(uint32_t index) const { return m_nodes[index]; }
    [[nodiscard]] const Node &root() const { return m_nodes.front(); }
    /// The children of a node, in order. O(descendants).
    [[nodiscard]] std::vector<uint32_t> children(uint32_t index) const;
    /// The innermost value that contains `[begin, end)`, or kNone.
    [[nodiscard]] uint32_t innermost(uint64_t begin, uint64_t end) const;
    /// The member with this key, or kNone.
    [[nodiscard]] uint32_t member(uint32_t object, std::string_view key) const;
    /// The member's key as written, without quotes; empty if the node is not a member.
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

/// For each of `offsets` (ascending): the open arrays and objects, outermost first, as offsets of their brackets. Reads
/// `text` from `begin`, which must be outside of any container. One pass.
[[nodiscard]] std::vector<std::vector<uint64_t>> openContainersAt(
    std::string_view text, uint64_t begin, std::span<const uint64_t> offsets);

} // namespace core
