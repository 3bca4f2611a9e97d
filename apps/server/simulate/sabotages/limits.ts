import { GOOD_NODES } from '../service/node.ts'
import { inStatementsWith, type Rewrite, replaced } from '../service/rewrite.ts'
import type { BrokenRule } from './broken-rule.ts'
import { AGENTS, STEPS_OF_OTHERS } from './treasury.ts'

/** The treasury limits its deposits while buffers change. */
const LIMITED = {
  ...AGENTS,
  limits: true,
  faults: GOOD_NODES,
  often: ['an agent acts', 'agents do all that waits', 'rebalance', 'change a buffer', 'set deposit limits'],
  never: [...AGENTS.never, 'cap a strategy', 'let pools bound deposits'],
} as const

/** Agents finish what waits, buffers change, and only what pools report bounds deposits. */
const POOLED = {
  ...LIMITED,
  often: ['agents do all that waits', 'let pools bound deposits', 'rebalance'],
  never: [...AGENTS.never, 'set deposit limits', 'cap a strategy', ...STEPS_OF_OTHERS],
} as const

/** Others leave pools. */
const DESERTED = { ...POOLED, often: [...POOLED.often, 'others leave a pool'] } as const

/** Pools lend out what they have. */
const ILLIQUID = { ...POOLED, unkind: true, often: [...POOLED.often, 'lend out a market'] } as const

/** A vault loses money soon, and is measured again later. */
const FALLING = { ...POOLED, losses: true, often: [...POOLED.often, 'advance the chain’s time'] } as const

/** The treasury caps strategies one by one. */
const CAPPED = {
  ...LIMITED,
  often: [...LIMITED.often, 'cap a strategy'],
  never: [...AGENTS.never, 'set deposit limits', 'let pools bound deposits'],
} as const

/** Vaults that pay later are the best-paid ones, and nobody named them. */
const UNNAMED = {
  ...AGENTS,
  exits: true,
  faults: GOOD_NODES,
  often: [...AGENTS.often, 'change the allow-list', 'change a buffer'],
} as const

/** Every read of the organization's limits returns others. `limits`: SQL, of the stored ones. */
const limitsRead = (limits: string): Rewrite =>
  replaced(
    /from "?deposit_limits"? where/,
    `from (select organization_id, updated_at, ${limits} as limits from deposit_limits) deposit_limits where`,
  )

/** The caps that stay, by a condition on the cap `cap`. */
const capsRead = (stays: string): Rewrite =>
  limitsRead(`limits || jsonb_build_object('caps', (select coalesce(jsonb_agg(cap), '[]'::jsonb)
    from jsonb_array_elements(limits -> 'caps') cap where ${stays}))`)

/** One of the bounds by a share counts as unset. */
const withoutBound = (name: string): Rewrite => limitsRead(`limits || '{"${name}": null}'::jsonb`)

/** Broken rules of what an organization lets Weir deposit on its own. */
export const BROKEN_LIMITS: readonly BrokenRule[] = [
  {
    rule: 10,
    name: 'deposit limits limit nothing',
    seed: 16,
    emphasis: LIMITED,
    finds: /which the limits rule out/,
    sabotage: {
      statement: inStatementsWith(
        ['deposit_limits'],
        replaced(/from "?deposit_limits"? where/, 'from deposit_limits where false and'),
      ),
    },
  },
  {
    rule: 10,
    name: 'limits that change while a deposit waits are ignored',
    seed: 6,
    emphasis: LIMITED,
    finds: /deploys although its strategy left the allow-list/,
    sabotage: {
      statement: replaced('left join "deposit_limits" on', 'left join "deposit_limits" on false and'),
    },
  },
  {
    rule: 10,
    name: 'a cap of a share leaves room for everything',
    seed: 16,
    emphasis: LIMITED,
    finds: /are in \w+ \S+, capped at/,
    sabotage: { statement: capsRead(`cap ->> 'shareBps' = '0'`) },
  },
  {
    rule: 10,
    name: 'a cap of a protocol is ignored',
    seed: 2,
    emphasis: LIMITED,
    finds: /are in protocol \S+, capped at/,
    sabotage: { statement: capsRead(`cap ->> 'kind' <> 'protocol'`) },
  },
  {
    rule: 10,
    name: 'a cap of a blockchain is ignored',
    seed: 16,
    emphasis: LIMITED,
    finds: /are in blockchain polygon, capped at/,
    sabotage: { statement: capsRead(`cap ->> 'kind' <> 'blockchain'`) },
  },
  {
    rule: 10,
    name: 'deposits in flight are not in any share',
    seed: 2,
    emphasis: LIMITED,
    finds: /capped at/,
    sabotage: {
      statement: inStatementsWith(
        ['from reservations r', ') moved group by'],
        replaced('sum(amount) as amount', '0::numeric as amount'),
      ),
    },
  },
  {
    rule: 10,
    name: 'the share of a pool is unlimited',
    seed: 3,
    steps: 200,
    emphasis: DESERTED,
    finds: /of a pool of \d+, capped at/,
    sabotage: { statement: withoutBound('poolShareBps') },
  },
  {
    rule: 10,
    name: 'the share of a pool’s liquidity is unlimited',
    seed: 1,
    steps: 200,
    emphasis: ILLIQUID,
    finds: /of a liquidity of \d+, capped at/,
    sabotage: { statement: withoutBound('liquidityShareBps') },
  },
  {
    rule: 10,
    name: 'deposits follow what cannot be withdrawn',
    seed: 2,
    steps: 200,
    emphasis: ILLIQUID,
    finds: /could be withdrawn, which has to be/,
    sabotage: { statement: withoutBound('withdrawableShareBps') },
  },
  {
    rule: 10,
    name: 'deposits follow a fallen price',
    seed: 37,
    steps: 200,
    emphasis: FALLING,
    finds: /and may fall by/,
    sabotage: { statement: withoutBound('priceFallBps') },
  },
  {
    rule: 10,
    name: 'the cap of a strategy by its token is ignored',
    seed: 6,
    emphasis: CAPPED,
    finds: /of the token are in it, capped at/,
    sabotage: {
      statement: inStatementsWith(
        ['from "strategy_caps" inner join "strategies"'],
        replaced('where "organization_id"', 'where false and "organization_id"'),
      ),
    },
  },
  {
    rule: 10,
    name: 'vaults that pay later take deposits although nobody named them',
    seed: 10,
    emphasis: UNNAMED,
    finds: /it pays later, and nobody named it/,
    sabotage: {
      statement: replaced(
        'array(select id from strategies where protocol',
        'array(select id from strategies where false and protocol',
      ),
    },
  },
]
