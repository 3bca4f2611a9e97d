import { GOOD_NODES } from '../service/node.ts'
import { inStatementsWith, type Rewrite, replaced } from '../service/rewrite.ts'
import type { BrokenRule } from './broken-rule.ts'
import { AGENTS } from './treasury.ts'

/** The treasury limits its deposits while buffers change. */
const LIMITED = {
  ...AGENTS,
  limits: true,
  faults: GOOD_NODES,
  often: [...AGENTS.often, 'change a buffer', 'set deposit limits', 'request an allocation'],
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

/** Broken rules of what an organization lets Weir deposit by its own choice. */
export const BROKEN_LIMITS: readonly BrokenRule[] = [
  {
    rule: 10,
    name: 'deposit limits limit nothing',
    seed: 1,
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
    name: 'a cap of a share leaves room for everything',
    seed: 1,
    emphasis: LIMITED,
    finds: /are in \w+ \S+, capped at/,
    sabotage: { statement: capsRead(`cap ->> 'shareBps' = '0'`) },
  },
  {
    rule: 10,
    name: 'a cap of a protocol is ignored',
    seed: 3,
    emphasis: LIMITED,
    finds: /are in protocol \S+, capped at/,
    sabotage: { statement: capsRead(`cap ->> 'kind' <> 'protocol'`) },
  },
  {
    rule: 10,
    name: 'a cap of a blockchain is ignored',
    seed: 1,
    emphasis: LIMITED,
    finds: /are in blockchain polygon, capped at/,
    sabotage: { statement: capsRead(`cap ->> 'kind' <> 'blockchain'`) },
  },
  {
    rule: 10,
    name: 'deposits in flight are not in any share',
    seed: 1,
    emphasis: LIMITED,
    finds: /capped at/,
    sabotage: {
      statement: inStatementsWith(
        ['tokens as ('],
        replaced('select o.strategy_id, r.amount from', 'select o.strategy_id, 0::numeric from'),
      ),
    },
  },
  {
    rule: 10,
    name: 'vaults that pay later take deposits although nobody named them',
    seed: 3,
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
