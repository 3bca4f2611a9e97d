import { isNamedIn, type NamedJoin } from './named-joins.ts'

const skips = 'looks up the next organization that has work, one row of an index for each, not rows of two together'

/** Statements that join distributed tables without an equality of the organization. Over several nodes, each must be rewritten. */
export const NAMED_UNTIED_JOINS: readonly NamedJoin[] = [
  {
    pairs: ['wallets and wallets'],
    beginsWith: 'with recursive listed(organization_id, place) as (',
    why: `findUnreconciledWallets ${skips}`,
  },
  {
    pairs: ['operational_wallets and operational_wallets', 'organizations and operational_wallets'],
    beginsWith: 'with recursive scheduled(organization_id, first_due_at) as (',
    why: `claimEvaluations ${skips}`,
  },
  {
    pairs: ['outbox and outbox', 'webhooks and outbox'],
    beginsWith: 'with recursive behind(organization_id) as (',
    why: `readNextEvents ${skips}`,
  },
]

export function isNamed(pair: string, text: string): boolean {
  return isNamedIn(NAMED_UNTIED_JOINS, pair, text)
}
