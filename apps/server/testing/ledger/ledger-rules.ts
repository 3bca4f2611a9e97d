import { LEDGER_INVARIANTS } from '../../src/ledger/index.ts'
import { movedPositions, POSTED_POSITIONS } from '../../src/operations/views/list-positions-at.ts'

/** An invariant of the ledger: a statement that finds violations, and their name. */
export interface LedgerRule {
  readonly what: string
  /** Every row that it returns is a violation. */
  readonly finds: string
}

/**
 * Invariants of the ledger after every step (rule 8, contract 8): entries balance, balances are the sums of postings,
 * positions and reservations match their accounts, nothing is reserved for a finished operation.
 */
export const LEDGER_RULES: readonly LedgerRule[] = [
  {
    what: 'a wallet that could not be settled',
    finds: 'select wallet_id, error from quarantined_wallets',
  },
  ...LEDGER_INVARIANTS,
  {
    what: 'a balance below zero, or a total that is not what came in from outside and was earned',
    finds: `select * from ledger_balances where available < 0 or reserved < 0 or deployed < 0 or exiting < 0
      or available + reserved + deployed + exiting <> -(yield + external)`,
  },
  {
    what: 'a position that is not the sum of the entries that name it',
    finds: `select n.wallet_id, n.strategy_id, n.value, n.earned, s.deployed, s.yield
      from (${POSTED_POSITIONS} group by 1, 2, 3) n full join (${movedPositions('ledger_entries')}) s
        on s.organization_id = n.organization_id and s.wallet_id = n.wallet_id and s.strategy_id = n.strategy_id
      where (coalesce(n.value, 0), coalesce(n.earned, 0)) <> (coalesce(s.deployed, 0), -coalesce(s.yield, 0))`,
  },
  {
    what: 'an open exit without an open allocation, or a state that is not what its amounts say',
    finds: `select x.id, x.state from exits x left join allocations a on a.organization_id = x.organization_id
        and a.wallet_id = x.wallet_id and a.strategy_id = x.strategy_id and a.status <> 'CLOSED'
      where x.state <> case when x.pending + x.claimable = 0 then 'claimed' when x.claimable > 0 then 'claimable'
        else 'pending' end or (x.state <> 'claimed' and a.id is null)`,
  },
  {
    what: 'a reservation held for a finished operation, or none for an unfinished supply',
    finds: `select o.id, o.state, r.released_at from operations o
      left join reservations r on r.organization_id = o.organization_id and r.operation_id = o.id
      where o.type = 'SUPPLY'
        and (o.state in ('PLANNING', 'PENDING_APPROVAL', 'EXECUTING', 'CONFIRMING')) <>
          (r.operation_id is not null and r.released_at is null)`,
  },
  {
    what: 'a reservation whose cover was not let go exactly once',
    finds: `select r.operation_id, r.covered, e.held, e.freed from reservations r left join lateral (
        select coalesce(sum(p.amount) filter (where e.kind in ('reserve', 'cover')), 0) as held,
          coalesce(sum(p.amount) filter (where e.kind not in ('reserve', 'cover')), 0) as freed
        from ledger_entries e join ledger_postings p on p.organization_id = e.organization_id and p.entry_id = e.id
        where e.organization_id = r.organization_id and e.operation_id = r.operation_id and p.account = 'reserved') e on true
      where e.held <> r.covered or e.freed <> case when r.released_at is null then 0 else -r.covered end`,
  },
  {
    what: 'an allocation that is unwinding without an unwind, or an unwind whose allocation is not',
    finds: `select a.id, a.status from allocations a where a.status <> 'CLOSED' and (a.status = 'UNWINDING') <> exists (
        select 1 from operations o where o.organization_id = a.organization_id and o.wallet_id = a.wallet_id
          and o.strategy_id = a.strategy_id and o.type = 'UNWIND'
          and o.state in ('PLANNING', 'PENDING_APPROVAL', 'EXECUTING', 'CONFIRMING'))
        and not (a.status = 'UNWINDING' and a.shares = 0)`,
  },
  {
    // A failed operation may still have a later transaction in flight, which fails or lands late. If an agent's
    // operation ended after its approval, that approval is in flight until its block is final.
    what: 'a finished operation with a transaction that still waits, or is on its way though none of it failed',
    finds: `select o.id, o.state, t.id as transaction_id, t.state as transaction_state from operations o
      join transactions t on t.organization_id = o.organization_id and t.operation_id = o.id
      where o.state in ('COMPLETED', 'FAILED', 'REJECTED', 'ABORTED') and (t.state = 'unsigned'
        or (t.state = 'pending' and o.failure_reason is distinct from 'ONCHAIN'
          and not (o.executor = 'agent' and t.kind in ('approve_reset', 'approve'))))`,
  },
  {
    what: 'an operation that ended without telling, or that told without ending',
    finds: `select o.id, o.state, e.ends from operations o left join lateral (
        select count(*) as ends from outbox e where e.organization_id = o.organization_id and e.object_type = 'operation'
          and e.object_id = o.id and e.event in ('operation.completed', 'operation.failed', 'operation.rejected')) e on true
      where case when o.state = 'COMPLETED' then ends not between 1 and 2
        when o.state in ('FAILED', 'REJECTED', 'ABORTED') then ends <> 1 else ends <> 0 end`,
  },
]
