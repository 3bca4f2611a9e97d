import { CompiledQuery } from 'kysely'
import { GOOD_NODES } from '../service/node.ts'
import { changed, inStatementsWith, NOTHING, type Rewrite, replaced, withoutEvent } from '../service/rewrite.ts'
import type { BrokenRule } from './broken-rule.ts'
import { AGENTS } from './treasury.ts'

/** Contracts are upgraded while the treasury has circuit breakers. */
const BREAKING = {
  ...AGENTS,
  breakers: true,
  faults: GOOD_NODES,
  often: [...AGENTS.often, 'change a buffer', 'set circuit breakers', 'upgrade a market', 'let time pass'],
  never: ['accept a circuit breaker'],
} as const

const OFF_PEG = {
  ...BREAKING,
  often: [...BREAKING.often, 'move USDC off its peg', 'evaluate circuit breakers'],
} as const

/** A breaker whose fact is fine again closes, and never recovers first. */
const closedAtOnce = changed('insert into "circuit_breakers"', (query) =>
  CompiledQuery.raw(
    query.sql,
    query.parameters.map((one) => (one === 'recovering' ? 'closed' : one)),
  ),
)

/** A breaker of this kind opens, and is never stored. */
const neverOpens = (kind: string): Rewrite =>
  changed('insert into "circuit_breakers"', (query) =>
    query.parameters.includes(kind) && query.parameters.includes('open') ? NOTHING : query,
  )

/** Little else happens than what opens breakers and closes them. */
const TURNING = {
  ...BREAKING,
  often: [
    'move USDC off its peg',
    'upgrade a market',
    'evaluate circuit breakers',
    'let time pass',
    'follow the chain',
  ],
} as const

const UPGRADING = {
  ...BREAKING,
  often: ['set circuit breakers', 'upgrade a market', 'evaluate circuit breakers', 'let time pass', 'follow the chain'],
} as const

const ACCEPTING = {
  ...TURNING,
  often: [...TURNING.often, 'accept a circuit breaker'],
  never: [],
} as const

/** Broken rules of circuit breakers. */
export const BROKEN_BREAKERS: readonly BrokenRule[] = [
  {
    rule: 10,
    name: 'an open circuit breaker stops nothing',
    seed: 19,
    emphasis: BREAKING,
    finds: /whose breaker .* is open/,
    sabotage: {
      statement: inStatementsWith(
        ['from circuit_breakers b'],
        replaced('where b.organization_id', 'where false and b.organization_id'),
      ),
    },
  },
  {
    rule: 10,
    name: 'agents get bytes of a deposit although its circuit breaker opened since',
    seed: 2,
    emphasis: { ...OFF_PEG, often: [...OFF_PEG.often, 'an agent dies'] },
    finds: /deploys although a circuit breaker opened/,
    sabotage: { claim: replaced('where b.organization_id', 'where false and b.organization_id') },
  },
  {
    rule: 10,
    name: 'a circuit breaker that should withdraw everything withdraws nothing',
    seed: 1,
    steps: 60,
    emphasis: BREAKING,
    finds: /does not withdraw everything: breaker/,
    sabotage: {
      statement: inStatementsWith(
        ['from circuit_breakers b'],
        replaced(`coalesce((s.settings ->> 'withdraw')::boolean, false)`, 'false'),
      ),
    },
  },
  {
    rule: 10,
    name: 'a circuit breaker opens without an event',
    seed: 15,
    emphasis: BREAKING,
    finds: /opened silently/,
    sabotage: {
      statement: withoutEvent('strategy.breaker_opened'),
    },
  },
  {
    rule: 10,
    name: 'a circuit breaker closes without an event',
    seed: 11,
    emphasis: { ...TURNING, often: [...TURNING.often, 'set circuit breakers'] },
    finds: /is closed silently/,
    sabotage: { statement: withoutEvent('strategy.breaker_closed') },
  },
  {
    rule: 10,
    name: 'code that is replaced again while a circuit breaker is open is not announced',
    seed: 2,
    steps: 150,
    emphasis: UPGRADING,
    finds: /no event announced the fact/,
    sabotage: {
      // While a breaker is open, the code is what it announced.
      statement: inStatementsWith(
        ['as token_price'],
        replaced(
          'c.fingerprint as code',
          `coalesce((select b.observed_code from circuit_breakers b where b.strategy_id = s.id
            and b.kind = 'upgrade' and b.state = 'open' limit 1), c.fingerprint) as code`,
        ),
      ),
    },
  },
  {
    rule: 10,
    name: 'a circuit breaker closes while its cause holds',
    seed: 2,
    emphasis: OFF_PEG,
    finds: /closed while its cause holds/,
    sabotage: {
      // While a breaker is open, its token counts as at its peg.
      statement: inStatementsWith(
        ['as token_price', 'insert into "circuit_breakers"'],
        replaced(
          't.price as token_price',
          `case when exists (select 1 from circuit_breakers b where b.strategy_id = s.id and b.kind = 'depeg'
            and b.state in ('open', 'recovering')) then 100000000 else t.price end as token_price`,
        ),
        closedAtOnce,
      ),
    },
  },
  {
    rule: 10,
    name: 'a circuit breaker closes without waiting',
    seed: 19,
    steps: 200,
    emphasis: TURNING,
    finds: /closed \d+ s after it was open/,
    sabotage: { statement: closedAtOnce },
  },
  {
    rule: 10,
    name: 'a circuit breaker for a fallen price never opens',
    seed: 8,
    emphasis: {
      ...BREAKING,
      losses: true,
      often: [...BREAKING.often, 'evaluate circuit breakers', 'advance the chain’s time'],
    },
    finds: /breaker price_fall .* does not open/,
    sabotage: { statement: neverOpens('price_fall') },
  },
  {
    rule: 10,
    name: 'a circuit breaker for a token off its peg never opens',
    seed: 2,
    emphasis: OFF_PEG,
    finds: /breaker depeg .* does not open/,
    sabotage: { statement: neverOpens('depeg') },
  },
  {
    rule: 10,
    name: 'a circuit breaker for an upgraded contract never opens',
    seed: 11,
    emphasis: UPGRADING,
    // Its event is there, and it is not open.
    finds: /breaker upgrade .* (?:does not open|is closed silently)/,
    sabotage: { statement: neverOpens('upgrade') },
  },
  {
    rule: 10,
    name: 'a circuit breaker for illiquidity never opens',
    seed: 1,
    emphasis: {
      ...BREAKING,
      unkind: true,
      often: [...BREAKING.often, 'evaluate circuit breakers', 'lend out a market'],
    },
    finds: /breaker illiquidity .* does not open/,
    sabotage: { statement: neverOpens('illiquidity') },
  },
  {
    rule: 10,
    name: 'a circuit breaker that a person accepted goes on stopping deposits',
    seed: 14,
    steps: 200,
    emphasis: ACCEPTING,
    finds: /takes no deposits although its breaker .* was accepted/,
    sabotage: {
      statement: inStatementsWith(
        ['from circuit_breakers b'],
        replaced(/b\.state = any\((\$\d+::text\[\])\)/, `b.state = any($1 || array['accepted'])`),
      ),
    },
  },
  {
    rule: 10,
    name: 'a circuit breaker that a person accepted opens again at once',
    seed: 2,
    steps: 200,
    emphasis: ACCEPTING,
    finds: /opened again, and its fact is no worse/,
    // What was accepted counts as nothing.
    sabotage: { statement: replaced(/("accepted_measure" = \$\d+)/, '$1::int * 0') },
  },
  {
    rule: 10,
    name: 'a circuit breaker that a person accepted stays so, however bad its fact becomes',
    seed: 9,
    steps: 400,
    emphasis: ACCEPTING,
    finds: /breaker .* (?:does not open|is accepted silently)/,
    sabotage: {
      statement: changed('insert into "circuit_breakers"', (query) =>
        query.parameters.includes('open')
          ? CompiledQuery.raw(`${query.sql} where circuit_breakers.state <> 'accepted'`, [...query.parameters])
          : query,
      ),
    },
  },
]
