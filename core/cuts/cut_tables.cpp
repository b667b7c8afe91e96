// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/cuts/cut_tables.h"

#include "core/compaction/live_stage.h"
#include "core/compaction/message_view.h"
#include "core/compaction/policy_run.h"
#include "core/compaction/stages/eviction.h"
#include "core/context/call_pairs.h"
#include "core/evidence/message_carriers.h"
#include "core/evidence/shown_text.h"

#include <algorithm>
#include <unordered_map>

namespace core {

namespace {

/// With more rewinds than this, every call is replayed instead.
constexpr size_t kMostEpochs = 16;

/// The changes of a stage with a BlockRule or a ResultRule.
class BlockChanger final {
public:
    BlockChanger(const StageParameters &parameters, ChangeMemo *memo)
    {
        if (parameters.kind().rule != nullptr)
            m_blockRule.emplace(parameters, memo);
        else if (parameters.kind().resultRule != nullptr)
            m_resultRule = parameters.kind().resultRule(parameters);
    }

    /// False for a stage without such a rule.
    [[nodiscard]] bool isValid() const { return m_blockRule || m_resultRule; }
    [[nodiscard]] bool looksAtCalls() const { return m_resultRule.has_value(); }
    [[nodiscard]] bool isEverywhere() const
    {
        return m_blockRule && m_blockRule->reach() == BlockRule::Reach::Everywhere;
    }

    /// nullptr if the block stays. `call` is the call of a tool result; invalid if it is missing.
    [[nodiscard]] std::shared_ptr<const BlockChange> of(const BlockPool &pool, BlockId id, BlockId call) const
    {
        return m_blockRule ? m_blockRule->of(pool, id) : m_resultRule->make(pool, id, call);
    }

private:
    std::optional<RuleChanges> m_blockRule;
    std::optional<ResultRule> m_resultRule;
};

/// The two possible states of a recorded block.
struct Forms {
    BlockId base; ///< invalid: dropped
    uint64_t baseLost = 0;
    int8_t changedBy = -1;
    BlockId changed; ///< invalid: dropped
    uint64_t lost = 0;
};

class TableMaker final {
public:
    TableMaker(const ReplayGroundPtr &ground, const PolicyPtr &policy, const std::shared_ptr<ChangeMemo> &memo)
        : m_ground(*ground)
        , m_session(ground->session())
        , m_made(std::make_shared<CutTables>())
        , m_memo(memo)
        , m_policy(withAssumedSummary(policy, ground->summary, SummaryStandIn::Filler))
        , m_context { *m_policy, sessionIdOf(m_session, ground->log.thread, {}), {}, m_policy->windowOf(m_session) }
        , m_pool(ground->log.session, *ground->tokens, memo.get())
        , m_counter(*m_policy, m_session)
        , m_grouping(m_session, policy->view)
    {
        m_made->ground = ground;
        m_made->policy = m_policy;
        m_made->windowTokens = m_context.windowTokens;
        m_made->isView = policy->persistence == Persistence::View;
        m_made->known.emplace(m_ground, *m_policy, m_pool);
    }

    /// False if there are other kinds of stages, marks whose places the tables do not know, or summaries that land
    /// later: a cut depends on the call at which they started.
    bool takeStages()
    {
        if (m_policy->cacheMarks != CacheMarkPlaces() || workerOf(*m_policy) != nullptr)
            return false;
        for (size_t i = 0; i < m_policy->stages.size(); ++i) {
            const StageSpec &spec = m_policy->stages[i];
            const StageKind *kind = stageKind(spec.stage);
            if (!spec.isEnabled || kind == nullptr)
                continue;
            const StageParameters parameters(m_session, spec, *kind, m_context);
            if (m_made->summary)
                return false; // a stage behind the summary would work on its output
            const bool isTaken = kind->summarises ? takeSummary(parameters, i) : takeStage(parameters, i);
            if (!isTaken)
                return false;
        }
        return !m_made->summary || isSummaryLeftAlone();
    }

    /// False if a change depends on more than the cuts.
    bool takeLog()
    {
        startEpoch(0);
        for (size_t i = 0; i < m_ground.log.steps.size(); ++i) {
            const LogStep &change = m_ground.log.steps[i];
            if (change.kept < epoch().blocks.size() && !startEpoch(change.kept))
                return false;
            for (const BlockId id : m_ground.log.addedAt(i)) {
                if (!push(id, i))
                    return false;
            }
            addStep(change.kept);
        }
        finishEpoch();
        sumUnsent(*m_made);
        m_made->growth = cutGrowth(*m_made);
        return true;
    }

    CutTablesPtr finish(const Uses *uses)
    {
        m_made->session = m_pool.finish(m_ground.log.thread, {}, m_made->tokens);
        if (uses != nullptr)
            takeUses(*uses);
        orderUses();
        return std::move(m_made);
    }

private:
    [[nodiscard]] CutEpoch &epoch() { return m_made->epochs.back(); }
    [[nodiscard]] size_t setCount() const { return size_t { 1 } << m_made->stages.size(); }

    bool takeSummary(const StageParameters &parameters, size_t index)
    {
        if (parameters.number("user-messages") > 0 || parameters.count("first-messages") > 0
            || parameters.isOn("opening") || stages::makesMore(parameters) || !stages::writesSummary(parameters))
            return false;
        m_made->summary = index;
        m_made->isSummaryWaiting = parameters.waits();
        m_made->appliesSummary = parameters.isOn("applies");
        m_made->keepsArchive = stages::archivesMessages(parameters);
        const std::string text = stages::summaryMessage(parameters, parameters.text("summary.text"));
        const BlockId block = m_pool.addSummary(text, m_ground.log.thread, parameters.number("summary.tokens"));
        m_made->summaryBlock = block;
        m_made->summaryTokens = m_pool.tokens(block);
        m_made->summaryFacts = m_counter.factsOf(m_pool, Role::User, std::span(&block, 1));
        return true;
    }

    bool takeStage(const StageParameters &parameters, size_t index)
    {
        if (isIdle(parameters))
            return true;
        Changer changer { BlockChanger(parameters, m_memo.get()), index, -1 };
        if (!changer.change.isValid())
            return false;
        if (!changer.change.isEverywhere() || parameters.waits()) {
            changer.cut = static_cast<int8_t>(m_made->stages.size());
            m_made->stages.push_back(
                { index, parameters.waits(), changer.change.isEverywhere(), changer.change.looksAtCalls() });
        }
        m_changers.push_back(std::move(changer));
        return m_made->stages.size() <= kMostCuts;
    }

    [[nodiscard]] bool isSummaryLeftAlone() const
    {
        return m_made->isView || std::ranges::none_of(m_changers, [&](const Changer &each) {
            return each.change.of(m_pool, m_made->summaryBlock, {}) != nullptr;
        });
    }

    // --- blocks ----------------------------------------------------------------------------------------------------

    struct Changer {
        BlockChanger change;
        size_t index = 0; ///< index of the stage
        int8_t cut = -1;  ///< index of the cut stage; -1: changes all blocks as they enter
    };

    /// Whether the stages behind the one that made a block leave it alone.
    [[nodiscard]] bool isSettled(BlockId made, BlockId call, size_t madeBy) const
    {
        return std::ranges::none_of(m_changers, [&](const Changer &each) {
            return (!m_made->isView || each.index > madeBy) && each.change.of(m_pool, made, call) != nullptr;
        });
    }

    /// nullopt if the order of the stages matters.
    std::optional<Forms> formsOf(BlockId id, BlockId call)
    {
        Forms forms;
        forms.base = id;
        size_t lastBase = 0;
        bool isChanged = false;
        for (const Changer &each : m_changers) {
            const auto change
                = each.cut < 0 && forms.base.isValid() ? each.change.of(m_pool, forms.base, call) : nullptr;
            if (!change)
                continue;
            forms.baseLost += lostBy(forms.base, *change);
            forms.base = changed(forms.base, *change);
            lastBase = each.index;
            isChanged = true;
        }
        if (isChanged && forms.base.isValid() && !m_made->isView && !isSettled(forms.base, call, lastBase))
            return std::nullopt;
        for (const Changer &each : m_changers) {
            const auto change
                = each.cut >= 0 && forms.base.isValid() ? each.change.of(m_pool, forms.base, call) : nullptr;
            if (!change)
                continue;
            if (forms.changedBy >= 0 || (isChanged && lastBase > each.index))
                return std::nullopt;
            forms.changedBy = each.cut;
            forms.lost = lostBy(forms.base, *change);
            forms.changed = changed(forms.base, *change);
            if (forms.changed.isValid() && !isSettled(forms.changed, call, each.index))
                return std::nullopt;
        }
        return forms;
    }

    BlockId changed(BlockId id, const BlockChange &change)
    {
        return change.fate == Fate::Dropped ? BlockId() : m_pool.addChanged(id, change);
    }

    [[nodiscard]] uint64_t lostBy(BlockId id, const BlockChange &change) const
    {
        const Block &block = m_pool.block(id);
        if (change.fate == Fate::Dropped)
            return block.lengths.bytes;
        return change.artifact.empty() ? bytesLess(block, change) : 0;
    }

    // --- the log ---------------------------------------------------------------------------------------------------

    /// Starts a new epoch with the first `kept` places of the one before.
    bool startEpoch(size_t kept)
    {
        CutEpoch next(m_ground);
        if (!m_made->epochs.empty()) {
            finishEpoch();
            next.blocks.assign(epoch().blocks.begin(), epoch().blocks.begin() + static_cast<ptrdiff_t>(kept));
            auto &firsts = epoch().messageFirst;
            const auto messages = std::ranges::lower_bound(firsts, kept) - firsts.begin();
            next.messageFirst.assign(firsts.begin(), firsts.begin() + messages);
            next.roles.assign(epoch().roles.begin(), epoch().roles.begin() + messages);
            for (std::vector<BlockId> CutEpoch::*member : { &CutEpoch::base, &CutEpoch::changed })
                (next.*member)
                    .assign((epoch().*member).begin(), (epoch().*member).begin() + static_cast<ptrdiff_t>(kept));
            next.changedBy.assign(epoch().changedBy.begin(), epoch().changedBy.begin() + static_cast<ptrdiff_t>(kept));
            next.places = epoch().places;
            next.places.truncate(kept);
        }
        m_made->epochs.push_back(std::move(next));
        m_pairs.truncate(kept);
        return m_made->epochs.size() <= kMostEpochs;
    }

    bool push(BlockId id, size_t step)
    {
        CutEpoch &now = epoch();
        const Block &block = m_session.block(id);
        const bool joins
            = !now.blocks.empty() && m_grouping.joins(now.roles.back(), m_session.block(now.blocks.back()), block);
        if (!joins) {
            now.messageFirst.push_back(static_cast<uint32_t>(now.blocks.size()));
            now.roles.push_back(m_grouping.roleOf(block));
        }
        auto known = m_forms.find(id);
        if (known == m_forms.end()) {
            const auto call = m_pairs.callOf(block);
            const auto forms = formsOf(id, call ? now.blocks[*call] : BlockId());
            if (!forms)
                return false;
            known = m_forms.emplace(id, *forms).first;
            m_entered[id] = { static_cast<uint32_t>(step), static_cast<uint32_t>(now.blocks.size()) };
        }
        m_pairs.push(block);
        now.places.push(id);
        now.blocks.push_back(id);
        now.base.push_back(known->second.base);
        now.changed.push_back(known->second.changed);
        now.changedBy.push_back(known->second.changedBy);
        return true;
    }

    void addStep(uint32_t kept)
    {
        const CutEpoch &now = epoch();
        CutStep step;
        step.epoch = static_cast<uint32_t>(m_made->epochs.size() - 1);
        step.kept = kept;
        step.places = static_cast<uint32_t>(now.blocks.size());
        step.messages = static_cast<uint32_t>(now.roles.size());
        step.firstTail = static_cast<uint32_t>(m_made->tails.size());
        for (size_t set = 0; set < setCount(); ++set)
            m_made->tails.push_back(now.roles.empty() ? MessageFacts() : factsOf(now, now.roles.size() - 1, set));
        m_made->steps.push_back(step);
    }

    [[nodiscard]] MessageFacts factsOf(const CutEpoch &now, size_t message, size_t set)
    {
        m_blocks.clear();
        const size_t end = message + 1 < now.messageFirst.size() ? now.messageFirst[message + 1] : now.blocks.size();
        for (size_t place = now.messageFirst[message]; place < end; ++place) {
            const bool isChanged = now.changedBy[place] >= 0 && ((set >> now.changedBy[place]) & 1U) != 0;
            if (const BlockId id = isChanged ? now.changed[place] : now.base[place]; id.isValid())
                m_blocks.push_back(id);
        }
        return m_counter.factsOf(m_pool, now.roles[message], m_blocks);
    }

    void finishEpoch()
    {
        CutEpoch &now = epoch();
        sumPlaces(now);
        sumMessages(now);
        findTorn(now);
        now.messageFirst.push_back(static_cast<uint32_t>(now.blocks.size()));
    }

    void sumPlaces(CutEpoch &now)
    {
        const size_t count = now.blocks.size();
        now.tokens.assign(1, 0);
        now.counts.assign(1, 0);
        now.bytes.assign(1, 0);
        now.baseLost.assign(1, 0);
        for (auto &stage : now.stages)
            stage = { { 0 }, { 0 }, { 0 }, { 0 }, std::vector<uint32_t>(count + 1, static_cast<uint32_t>(count)) };
        for (size_t place = 0; place < count; ++place) {
            const Size base = sizeOf(now.base[place]);
            now.tokens.push_back(now.tokens.back() + base.tokens);
            now.counts.push_back(now.counts.back() + base.count);
            now.bytes.push_back(now.bytes.back() + base.bytes);
            const Forms &forms = m_forms.at(now.blocks[place]);
            now.baseLost.push_back(now.baseLost.back() + forms.baseLost);
            for (size_t k = 0; k < m_made->stages.size(); ++k) {
                const bool isIts = now.changedBy[place] == static_cast<int8_t>(k);
                const Size changed = isIts ? sizeOf(now.changed[place]) : base;
                auto &stage = now.stages[k];
                stage.tokens.push_back(stage.tokens.back() + changed.tokens - base.tokens);
                stage.counts.push_back(
                    stage.counts.back() + static_cast<int32_t>(changed.count) - static_cast<int32_t>(base.count));
                stage.bytes.push_back(
                    stage.bytes.back() + static_cast<int64_t>(changed.bytes) - static_cast<int64_t>(base.bytes));
                stage.lost.push_back(stage.lost.back() + (isIts ? forms.lost : 0));
            }
        }
        for (size_t place = count; place > 0; --place) {
            for (size_t k = 0; k < m_made->stages.size(); ++k) {
                auto &next = now.stages[k].next;
                next[place - 1] = now.changedBy[place - 1] == static_cast<int8_t>(k) ? static_cast<uint32_t>(place - 1)
                                                                                     : next[place];
            }
        }
    }

    struct Size {
        double tokens = 0;
        uint32_t count = 0;
        uint64_t bytes = 0;
    };
    [[nodiscard]] Size sizeOf(BlockId id) const
    {
        return id.isValid() ? Size { m_pool.tokens(id), 1, m_pool.block(id).lengths.bytes } : Size {};
    }

    void sumMessages(CutEpoch &now)
    {
        now.sums.assign(setCount(), {});
        for (size_t set = 0; set < setCount(); ++set) {
            MessageSums &sums = now.sums[set];
            sums = { { 0 }, { 0 }, { 0 }, { 0 }, {} };
            for (size_t message = 0; message < now.roles.size(); ++message) {
                const MessageFacts facts = factsOf(now, message, set);
                sums.tokens.push_back(sums.tokens.back() + facts.tokens);
                sums.inTotal.push_back(sums.inTotal.back() + facts.inTotal);
                sums.results.push_back(sums.results.back() + facts.results);
                sums.turns.push_back(sums.turns.back() + (facts.isTyped ? 1 : 0));
                sums.facts.push_back(facts);
                m_made->hasSharedMessages = m_made->hasSharedMessages || facts.results > 1;
            }
        }
    }

    void findTorn(CutEpoch &now) const
    {
        now.firstTorn.assign(now.blocks.size() + 1, CutUse::kNever);
        for (const CallPairs::Pair &pair : m_pairs.pairs()) {
            for (size_t boundary = pair.call + 1; boundary <= pair.result; ++boundary)
                now.firstTorn[boundary] = std::min(now.firstTorn[boundary], static_cast<uint32_t>(pair.result));
        }
    }

    // --- uses ------------------------------------------------------------------------------------------------------

    /// The places of blocks in one epoch.
    struct Places {
        std::unordered_map<BlockId, uint32_t> of;
        std::unordered_map<uint64_t, std::vector<uint32_t>> changed; ///< by message and call
    };

    [[nodiscard]] static uint64_t keyOf(const Block &block)
    {
        const uint64_t call = block.callId.isValid() ? block.callId.value() + 1 : 0;
        return (uint64_t { block.message.value() } << 32U) | call;
    }

    [[nodiscard]] Places placesIn(const CutEpoch &now) const
    {
        Places places;
        for (uint32_t place = 0; place < now.blocks.size(); ++place) {
            places.of[now.blocks[place]] = place;
            if (now.base[place] != now.blocks[place] || now.changedBy[place] >= 0)
                places.changed[keyOf(m_session.block(now.blocks[place]))].push_back(place);
        }
        return places;
    }

    void takeUses(const Uses &uses)
    {
        m_made->knowsUses = true;
        std::vector<Places> places;
        for (const CutEpoch &each : m_made->epochs)
            places.push_back(placesIn(each));
        std::unordered_map<BlockId, uint32_t> fetches;
        for (const Use &use : uses.uses) {
            if ((kHeadlineUses & only(use.kind)) == 0)
                continue;
            CutUse made;
            made.kind = use.kind;
            made.isTogether = use.isTogether;
            made.hasCall = use.call.isValid();
            made.call = made.hasCall ? use.call.value() : 0;
            const BlockId first = uses.carrier(use);
            made.isInjected = m_session.block(first).is(BlockFlag::Injected);
            made.isUnsure = uses.isUnsure(use, *m_ground.sums);
            if (const auto entered = m_entered.find(first); entered != m_entered.end())
                std::tie(made.entered, made.enteredPlace) = entered->second;
            const auto [fetch, isNew] = fetches.try_emplace(first, static_cast<uint32_t>(fetches.size()));
            made.fetch = fetch->second;
            if (isNew)
                m_made->fetchTokens.push_back(m_ground.tokens->of(first));
            const CutStep &step = m_made->steps[made.call];
            made.firstCarrier = static_cast<uint32_t>(m_made->carriers.size());
            for (const BlockId carrier : uses.carriersOf(use))
                m_made->carriers.push_back(placeOf(places[step.epoch], carrier, step));
            made.carrierCount = static_cast<uint32_t>(m_made->carriers.size()) - made.firstCarrier;
            made.keptBelow = keptBelow(made);
            made.firstShown = static_cast<uint32_t>(m_made->shown.size());
            if (use.kind == UseKind::Quote)
                findShown(uses, use, step, places[step.epoch]);
            made.shownCount = static_cast<uint32_t>(m_made->shown.size()) - made.firstShown;
            m_made->uses.push_back(made);
        }
        takeMessages(uses, places.back());
    }

    void orderUses()
    {
        std::vector<CutUse> &uses = m_made->uses;
        std::ranges::stable_sort(uses, {}, &CutUse::call);
        for (uint32_t step = 0, use = 0; step <= m_made->steps.size(); ++step) {
            while (use < uses.size() && uses[use].call < step)
                ++use;
            m_made->firstUse.push_back(use);
        }
        std::vector<double> keptBelow;
        for (const CutUse &use : uses)
            keptBelow.push_back(-static_cast<double>(use.keptBelow));
        m_made->keptBelow = RangeMaxima(std::move(keptBelow));
    }

    void takeMessages(const Uses &uses, const Places &places)
    {
        const std::vector<BlockId> &messages = uses.messages;
        // All texts that can be in the final array, including those removed before any call sent them.
        const auto carriers = messageCarriers(m_session, messages, m_ground.log.added);
        for (size_t i = 0; i < messages.size(); ++i) {
            std::vector<uint32_t> &typed = m_made->typed.emplace_back();
            typed.push_back(placeOf(places, messages[i], m_made->steps.back()));
            for (const BlockId id : carriers[i])
                typed.push_back(placeOf(places, id, m_made->steps.back()));
        }
    }

    [[nodiscard]] uint32_t keptBelow(const CutUse &use) const
    {
        uint32_t least = CutUse::kNever;
        uint32_t most = 0;
        for (const uint32_t place : std::span(m_made->carriers).subspan(use.firstCarrier, use.carrierCount)) {
            const uint32_t behind = place == CutUse::kNever ? 0 : place + 1;
            least = std::min(least, behind);
            most = std::max(most, behind);
        }
        return use.isTogether ? least : most;
    }

    /// The place of the block itself in the array of a step, if no stage changes it as it enters.
    [[nodiscard]] uint32_t placeOf(const Places &places, BlockId id, const CutStep &step) const
    {
        const auto found = places.of.find(id);
        const bool isThere = found != places.of.end() && found->second < step.places
            && m_made->epochOf(step).base[found->second] == id;
        return isThere ? found->second : CutUse::kNever;
    }

    /// Finds changed blocks in the carriers' messages that hold a quoted text completely.
    void findShown(const Uses &uses, const Use &use, const CutStep &step, const Places &places)
    {
        const CutEpoch &now = m_made->epochOf(step);
        std::vector<std::string> texts;
        std::vector<uint32_t> candidates;
        for (const BlockId carrier : uses.carriersOf(use)) {
            if (const auto found = places.changed.find(keyOf(m_session.block(carrier))); found != places.changed.end())
                candidates.insert(candidates.end(), found->second.begin(), found->second.end());
        }
        std::ranges::sort(candidates);
        const auto repeated = std::ranges::unique(candidates);
        candidates.erase(repeated.begin(), repeated.end());
        const auto holds = [&](BlockId id) {
            if (!id.isValid() || id.index() < m_session.blocks.size())
                return false;
            if (texts.empty())
                texts = oldTexts(m_session, m_session.block(use.by));
            const std::string shown = shownText(*m_made->session, m_made->session->block(id)).text;
            return std::ranges::any_of(texts, [&](const std::string &text) { return shown.contains(text); });
        };
        for (const uint32_t place : candidates) {
            if (place >= step.places)
                continue;
            if (holds(now.base[place]))
                m_made->shown.push_back({ place, true });
            if (now.changedBy[place] >= 0 && holds(now.changed[place]))
                m_made->shown.push_back({ place, false });
        }
    }

    const ReplayGround &m_ground;
    const Session &m_session;
    std::shared_ptr<CutTables> m_made;
    std::shared_ptr<ChangeMemo> m_memo;
    PolicyPtr m_policy;
    StageContext m_context;
    BlockPool m_pool;
    MessageCounter m_counter;
    MessageGrouping m_grouping;
    std::vector<Changer> m_changers;
    std::unordered_map<BlockId, Forms> m_forms;
    std::unordered_map<BlockId, std::pair<uint32_t, uint32_t>> m_entered; ///< step and place
    CallPairs m_pairs;                                                    ///< of the current epoch
    std::vector<BlockId> m_blocks;
};

} // namespace

CutTablesPtr cutTables(
    const ReplayGroundPtr &ground, const PolicyPtr &policy, const Uses *uses, const std::shared_ptr<ChangeMemo> &memo)
{
    TableMaker maker(ground, policy, memo);
    return maker.takeStages() && maker.takeLog() ? maker.finish(uses) : nullptr;
}

} // namespace core
