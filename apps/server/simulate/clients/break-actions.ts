import { acceptBreak, type BREAK_STATUSES } from '../../src/ledger/index.ts'
import type { EvmRun } from '../evm-run.ts'
import type { SimulationRun } from '../simulation-run.ts'
import { Violation } from '../violation.ts'
import type { Action } from './action.ts'

interface SeenBreak {
  readonly id: number
  readonly organizationId: number
  readonly userId: number
  readonly status: (typeof BREAK_STATUSES)[number]
}

const TO_ACCEPT = {
  name: 'breaks to accept',
  text: `select b.id::float8, b.organization_id::float8 as "organizationId", u.id::float8 as "userId",
      case when b.closed_at is not null then 'closed' when b.accepted_at is not null then 'accepted' else 'open' end as status
    from ledger_breaks b join lateral (
      select id from users where organization_id = b.organization_id order by id limit 1) u on true
    order by b.id`,
}

const POSTED = {
  name: 'what is posted',
  text: `select md5(concat((select string_agg(b::text, ',' order by b.wallet_id, b.token_address) from ledger_balances b), '|',
    (select count(*) from ledger_entries))) as posted`,
}

/** A person accepts what the ledger shows and the chain does not: the ledger stays as it is. */
export const ACCEPT_BREAK: Action<SimulationRun> = {
  name: 'accept a break',
  weight: 3,
  async act(run, random) {
    const { reader } = run.database
    const { rows } = await reader.query<SeenBreak>(TO_ACCEPT)
    const open = rows.filter(({ status }) => status === 'open')
    // At times one that was accepted before, or is closed.
    const seen = random.pick(open.length > 0 && random.chance(0.9) ? open : rows)
    if (!seen) return
    const accept = () => accepting(run, seen)
    if (random.chance(0.3)) {
      await run.requests<unknown>([
        ['follow', () => run.service.round(new AbortController().signal)],
        [`accept break ${seen.id}`, accept],
      ])
      return
    }
    const before = (await reader.query<{ posted: string }>(POSTED)).rows[0]!
    const accepted = await run.request(`accept break ${seen.id}`, accept)
    const after = (await reader.query<{ posted: string }>(POSTED)).rows[0]!
    if (before.posted !== after.posted) throw new Violation(`the acceptance of break ${seen.id} changed the ledger`)
    if (accepted && seen.status !== 'open')
      throw new Violation(`break ${seen.id} was ${seen.status} when a person accepted it`)
  },
}

interface Reserved {
  readonly address: string
  readonly token: string
  readonly covered: string
}

const RESERVED = {
  name: 'what is reserved',
  text: `select w.address, r.token_address as token, r.covered::text as covered from reservations r
    join wallets w on w.organization_id = r.organization_id and w.id = r.wallet_id
    where r.released_at is null and r.covered > 0 order by r.operation_id`,
}

/** What opens breaks: a holder sends away what one of its operations has reserved, or part of it. */
const SPEND_RESERVED: Action<EvmRun> = {
  name: 'send away what is reserved',
  weight: 3,
  async act(run, random) {
    const { rows } = await run.database.reader.query<Reserved>(RESERVED)
    const reserved = random.pick(rows)
    const holder = run.holders.find(({ address }) => address === reserved?.address)
    if (!reserved || !holder) return
    const balance = holder.balance(reserved.token)
    const left = random.part(BigInt(reserved.covered), 0, 95)
    const amount = balance > left ? balance - left : random.part(balance, 10, 100)
    run.record(`  ${holder.transfer(reserved.token, run.stranger.address, amount)}`)
  },
}

/** Breaks, and what people do with them. */
export const MISSING: readonly Action<EvmRun>[] = [ACCEPT_BREAK, SPEND_RESERVED]

const accepting = (run: SimulationRun, { id, organizationId, userId }: SeenBreak) =>
  acceptBreak(run.service.parts, { organizationId, breakId: id, userId, reason: 'it is on its way back' })
