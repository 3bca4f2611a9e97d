import { isNamedIn, type NamedJoin } from './named-joins.ts'

/** Statements that name a distributed table and one that is kept on one node. Over several nodes, each must be divided. */
export const NAMED_LOCAL_JOINS: readonly NamedJoin[] = [
  {
    pairs: [
      'ledger_balances and chain_nonces',
      'operations and chain_nonces',
      'reservations and chain_nonces',
      'transaction_hashes and chain_nonces',
      'transactions and chain_nonces',
    ],
    beginsWith: 'with "counted" as (insert into "chain_nonces"',
    why: 'a plan stores what it counted at the nodes: the count can be stored before, by a statement of its own',
  },
  {
    pairs: ['outbox and event_relay'],
    beginsWith: 'with line as ( update event_relay',
    why: 'the relay moves the line of all events, then gives its places to events of several organizations',
  },
  {
    pairs: ['held_events and event_relay', 'outbox and event_relay'],
    beginsWith: 'select exists (select from outbox o where relayed_at is null',
    why: 'the relay asks for all that it has to do at once',
  },
  {
    pairs: ['outbox and event_relay'],
    beginsWith: 'select last_position, (select array_agg(distinct organization_id) from outbox',
    why: 'one poll for all readers of events, of any organization',
  },
  {
    pairs: ['organization_erasures and security_events'],
    beginsWith: 'insert into security_events',
    why: 'addresses of an organization that is erased are not stored: the erasures can be read before',
  },
  {
    pairs: ['users and account_tokens'],
    beginsWith: 'select "users"."email" from "account_tokens" as "token"',
    why: 'a token names the organization of its user, who can be read next',
  },
  {
    pairs: ['sso_sign_ins and factor_challenges'],
    beginsWith: 'delete from "factor_challenges" using "sso_sign_ins"',
    why: 'the sign-ins whose challenges end can be read before',
  },
  {
    pairs: [
      'member_invitations and account_tokens',
      'member_invitations and sandbox_mails',
      'users and account_tokens',
      'users and sandbox_mails',
    ],
    beginsWith: 'delete from "sandbox_mails"',
    why: 'sandbox only: the addresses of an organization can be read before',
  },
  {
    pairs: ['unchained_audit_entries and audit_anchors'],
    beginsWith: 'select (select count(*) from unchained_audit_entries)',
    why: 'two measurements in one round trip',
  },
  {
    pairs: ['ramp_deposits and ramp_deferred_blocks', 'ramp_transactions and ramp_deferred_blocks'],
    beginsWith: 'select count(*) filter (where direction',
    why: 'measurements of all organizations in one round trip',
  },
  {
    pairs: ['ramp_customers and ramp_sandbox_applications'],
    beginsWith: 'select "ramp_sandbox_applications"."reference"',
    why: 'sandbox only: an application names its customer, who can be read next',
  },
  {
    pairs: ['ramp_customers and ramp_sandbox_applications'],
    beginsWith: 'update ramp_sandbox_applications set answers = null where reference in',
    why: 'sandbox only: the customers can be read before',
  },
]

/**
 * The condition that a worker holds its lease, in statements of any table. Over several nodes, its transaction must check
 * that before it writes.
 */
const LEASES = 'job_leases'

export function isNamedLocal(pair: string, text: string): boolean {
  if (pair.endsWith(` and ${LEASES}`)) return true
  return isNamedIn(NAMED_LOCAL_JOINS, pair, text)
}
