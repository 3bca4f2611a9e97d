import { GOOD_NODES } from '../service/node.ts'
import { inStatementsWith, type Rewrite, replaced } from '../service/rewrite.ts'
import type { BrokenRule } from './broken-rule.ts'

/** Clients send away what they planned to deposit, and people accept that it is missing. */
const ACCEPTING = {
  breaks: true,
  faults: GOOD_NODES,
  often: ['plan a supply', 'send away what is reserved', 'accept a break', 'receive tokens', 'follow the chain'],
} as const

/** Makes both places agree that compare a measured break with what was accepted. */
const comparing = (isAbove: string, isWithin: string): Rewrite =>
  inStatementsWith(
    ['insert into ledger_breaks'],
    replaced(/excluded\.amount > b\.accepted_amount/g, isAbove),
    replaced('b.accepted_amount >= m.amount', isWithin),
  )

/** Broken rules of breaks that people accept. */
export const BROKEN_BREAKS: readonly BrokenRule[] = [
  {
    rule: 8,
    name: 'a break that a person accepted stays so when it grows',
    seed: 1,
    emphasis: ACCEPTING,
    finds: /is accepted at \d+, and is \d+ now/,
    sabotage: { statement: comparing('false', 'true') },
  },
  {
    rule: 8,
    name: 'a break that a person accepted opens again although it did not grow',
    seed: 1,
    emphasis: ACCEPTING,
    finds: /was accepted at \d+, and opened again at/,
    sabotage: { statement: comparing('b.accepted_amount is not null', 'false') },
  },
  {
    rule: 8,
    name: 'a break that a person accepted is no longer measured',
    seed: 1,
    emphasis: ACCEPTING,
    finds: /in the ledger and \d+ on chain/,
    sabotage: {
      statement: replaced(
        /(where closed_at is null do update\s+set amount = )excluded\.amount/,
        '$1case when b.accepted_at is null then excluded.amount else b.amount end',
      ),
    },
  },
]
