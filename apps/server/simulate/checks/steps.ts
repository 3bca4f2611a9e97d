import { TRANSITIONS } from '../../src/operations/lifecycle/states/operation-states.ts'
import { LEDGER_RULES } from '../../testing/ledger/ledger-rules.ts'
import type { SimulationRun } from '../simulation-run.ts'
import { Violation } from '../violation.ts'

const LEDGER = {
  name: 'ledger',
  text: LEDGER_RULES.filter(({ finds }) => !finds.includes('quarantined_wallets'))
    .map(
      ({ what, finds }) =>
        `select '${what.replaceAll("'", "''")}' as what, to_jsonb(found) as found from (${finds}) found`,
    )
    .join('\nunion all\n'),
}

const STATES = {
  name: 'states',
  text: `select o.id, o.state, o.organization_id, (select json_agg(json_build_object('id', t.id, 'state', t.state, 'nonce', t.nonce,
      'sender', t.sender, 'hash', t.tx_hash, 'block', t.block_number, 'final', t.finalized_at is not null)
      order by t.id) from transactions t where t.operation_id = o.id) as transactions
    from operations o order by o.id`,
}

const SETTLED = { name: 'settled', text: 'select blockchain, final_number from chain_cursors' }

interface Row {
  readonly id: number
  readonly state: string
  readonly organization_id: number
  readonly transactions: readonly {
    id: number
    state: string
    nonce: number | null
    sender: string
    hash: string | null
    block: number | null
    final: boolean
  }[]
}

/** The ledger is consistent (rule 8, contract 8); `checkQuarantine` judges wallets that cannot be settled. One statement. */
export async function checkLedger(run: SimulationRun): Promise<void> {
  const { rows } = await run.database.reader.query<{ what: string; found: unknown }>(LEDGER)
  if (rows.length > 0) throw new Violation(`${rows[0]!.what}: ${JSON.stringify(rows[0]!.found)}`)
}

/**
 * What was planned exists; states follow the transition table; final states never change; a confirmed transaction is on the chain exactly once,
 * at or below the final block; no two transactions of an organization that can both take effect share a nonce (rule 3).
 */
export async function checkStates(run: SimulationRun): Promise<void> {
  const { rows } = await run.database.reader.query<Row>(STATES)
  const taken = new Set<string>()
  const hashes = new Set<string>()
  const known = new Set(rows.map(({ id }) => id))
  const lost = [...run.promised].find((id) => !known.has(id))
  if (lost !== undefined) throw new Violation(`operation ${lost} was planned, and is lost`)
  for (const { id, state, organization_id, transactions } of rows) {
    const before = run.states.get(id)
    if (before !== undefined && before !== state && !reachable(before, state)) {
      throw new Violation(`operation ${id} went from ${before} to ${state} without a transition`)
    }
    run.states.set(id, state)
    for (const transaction of transactions) {
      if (transaction.nonce !== null && (transaction.state === 'pending' || transaction.state === 'confirmed')) {
        const place = `${organization_id} ${transaction.sender} ${transaction.nonce}`
        if (taken.has(place))
          throw new Violation(`transaction ${transaction.id} has the nonce of another live transaction`)
        taken.add(place)
      }
      if (transaction.final) expectFinal(run, organization_id, transaction, hashes)
      else if (run.settled.has(transaction.id)) throw new Violation(`transaction ${transaction.id} was final before`)
    }
  }
}

/** A settled block stays settled, no matter who follows: a worker that was replaced does not move the cursor back. */
export async function checkCursor(run: SimulationRun): Promise<void> {
  const { rows } = await run.database.reader.query<{ blockchain: string; final_number: number }>(SETTLED)
  for (const { blockchain, final_number } of rows) {
    const before = run.cursors.get(blockchain) ?? 0
    if (final_number < before)
      throw new Violation(`the cursor of ${blockchain} went from ${before} back to ${final_number}`)
    run.cursors.set(blockchain, final_number)
  }
}

function expectFinal(
  run: SimulationRun,
  organizationId: number,
  row: Row['transactions'][number],
  hashes: Set<string>,
): void {
  const landed = row.block === null ? undefined : run.landedIn(row.block)
  if (!landed) throw new Violation(`transaction ${row.id} is not final yet`)
  const included = landed.find(({ hash }) => hash === row.hash)
  if (!included) throw new Violation(`transaction ${row.id} is not in block ${row.block}, where it was settled`)
  if (included.succeeded !== (row.state === 'confirmed')) {
    throw new Violation(`transaction ${row.id} is ${row.state}, unlike its result in block ${row.block}`)
  }
  const once = `${organizationId} ${row.hash}`
  if (hashes.has(once)) throw new Violation(`${row.hash} settled two transactions of organization ${organizationId}`)
  hashes.add(once)
  run.settled.add(row.id)
}

const next = Map.groupBy(TRANSITIONS, ({ from }) => from as string)

/** Whether the table has a path between the states: several transitions may happen between two checks. */
function reachable(from: string, to: string, past: readonly string[] = []): boolean {
  return (next.get(from) ?? []).some(
    (transition) =>
      transition.to === to || (!past.includes(transition.to) && reachable(transition.to, to, [...past, from])),
  )
}
