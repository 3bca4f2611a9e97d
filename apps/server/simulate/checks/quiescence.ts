import type { EvmRun } from '../evm-run.ts'
import { Violation } from '../violation.ts'
import { worth } from '../world/contracts.ts'
import { isSlow } from '../world/exits.ts'
import type { Market } from '../world/market.ts'
import { fromUnsigned } from '../world/raw.ts'
import { readWallets, type WalletRow } from './chain.ts'
import { checkNothingOutstanding } from './nothing-outstanding.ts'
import { slowFlowsOf } from './slow-flows.ts'

interface Row {
  readonly id: number
  readonly operation_id: number
  readonly organization_id: number
  readonly wallet_id: number
  readonly sender: string
  readonly nonce: number
  readonly state: string
  readonly kind: string
  readonly tx_hash: string | null
  readonly final: boolean
  readonly call: { to: string; data: string }
  readonly operation_state: string
  readonly is_last: boolean
}

/** The kinds of transactions that move money. */
const MOVING: ReadonlySet<string> = new Set(['supply', 'unwind', 'exit_request', 'exit_claim'])

/** After the chain heals and time passes, nothing is in flight, reserved, missing, unfinished or overlooked. */
export async function checkQuiescence(run: EvmRun): Promise<void> {
  await checkNothingOutstanding(run)
  const { rows } = await run.database.reader.query<Row>(
    `select t.id, t.operation_id, t.organization_id, o.wallet_id, t.sender, t.nonce, t.state, t.kind, t.tx_hash,
        t.finalized_at is not null as final, t.call, o.state as operation_state,
        t.position = (select max(position) from transactions l where l.operation_id = o.id) as is_last
      from transactions t join operations o on o.id = t.operation_id order by t.id`,
  )
  expectNothingMissed(run, rows)
  expectOneEffect(run)
  const { rows: first } = await run.database.reader.query<{ wallet_id: number; token: string; block: number }>(
    `select p.wallet_id, p.token_address as token, min(e.block_number) as block from ledger_entries e
      join ledger_postings p on p.entry_id = e.id where e.block_number is not null group by 1, 2`,
  )
  const knownFrom = new Map(first.map(({ wallet_id, token, block }) => [`${wallet_id} ${token}`, block]))
  for (const wallet of await readWallets(run)) expectYield(run, wallet, rows, knownFrom)
}

/** Every issued transaction that landed is settled exactly once for each organization that planned it. */
function expectNothingMissed(run: EvmRun, rows: readonly Row[]): void {
  const { world } = run
  const planned = Map.groupBy(rows, ({ organization_id, sender, nonce, call }) =>
    [organization_id, sender, nonce, call.to, call.data].join(' '),
  )
  for (const block of world.blocks.slice(0, world.final.number + 1)) {
    for (const { hash, sender, nonce, to, data, succeeded } of block.transactions) {
      for (const organization of run.organizations) {
        const own = planned.get([organization, sender, nonce, to, data].join(' ')) ?? []
        if (own.every(({ id }) => (run.issuedAt.get(id) ?? 0) >= block.number)) continue
        const settled = own.filter(({ tx_hash, final }) => tx_hash === hash && final)
        const [one] = settled
        if (!one) throw new Violation(`${hash} landed in block ${block.number}; transaction ${own[0]!.id} never knew`)
        if (settled.length > 1) throw new Violation(`${hash} was settled ${settled.length} times`)
        if (succeeded && one.is_last && one.operation_state !== 'COMPLETED') {
          throw new Violation(`operation ${one.operation_id} took effect and is ${one.operation_state}`)
        }
      }
    }
  }
}

/** Of all bytes issued for one transaction, at most one landed (rule 1). */
function expectOneEffect(run: EvmRun): void {
  const { world } = run
  const landed = new Map<string, string>()
  for (const { transactions } of world.blocks.slice(0, world.final.number + 1)) {
    for (const { sender, nonce, to, data, hash } of transactions) landed.set([sender, nonce, to, data].join(' '), hash)
  }
  const versions = Map.groupBy(
    run.holders.flatMap(({ address, issued }) => issued.map(({ transaction }) => ({ address, transaction }))),
    ({ transaction }) => transaction.transactionId,
  )
  for (const [transactionId, own] of versions) {
    const nonces = new Set(
      own.map(({ address, transaction }) => {
        const { nonce, to, data } = fromUnsigned(transaction.unsignedBytes)
        return landed.get([address, nonce, to, data].join(' '))
      }),
    )
    nonces.delete(undefined)
    if (nonces.size > 1)
      throw new Violation(`transaction ${transactionId} took effect twice: ${[...nonces].join(' and ')}`)
  }
}

/**
 * Yield is the effect of prices on shares (rule 6), computed from the chain alone: the value of positions plus
 * outflows minus inflows, through operations or outside. Equal up to one rounding unit per movement.
 */
function expectYield(
  run: EvmRun,
  wallet: WalletRow,
  rows: readonly Row[],
  knownFrom: ReadonlyMap<string, number>,
): void {
  const { world } = run
  const ours = new Set(
    rows
      .filter((row) => row.wallet_id === wallet.id && row.final && MOVING.has(row.kind))
      .map(({ tx_hash }) => tx_hash),
  )
  for (const { token, deployed, exiting, yield: recorded } of wallet.balances) {
    const from = knownFrom.get(`${wallet.id} ${token}`)
    if (from === undefined) continue
    let expected = BigInt(deployed) + BigInt(exiting)
    let tolerance = 2n
    let outside = false
    for (const market of world.markets.filter((candidate) => candidate.token === token)) {
      const place = { address: wallet.address, ours, from }
      const flows = isSlow(market) ? slowFlowsOf(run, market, place) : flowsOf(run, { ...place, market })
      expected -= flows.came
      tolerance += 2n * BigInt(flows.count)
      outside ||= flows.outside
    }
    // If state could not be read at its block, outside movements were valued at a later price.
    if (outside && !run.readsAreExact) continue
    const difference = expected + BigInt(recorded)
    if (difference > tolerance || -difference > tolerance) {
      throw new Violation(
        `wallet ${wallet.id} earned ${expected} of ${token} on chain and ${-BigInt(recorded)} as posted`,
      )
    }
  }
}

interface PositionOfWallet {
  readonly address: string
  readonly market: Market
  readonly ours: ReadonlySet<string | null>
  readonly from: number
}

/** Inflows minus outflows of a position since the wallet was registered. */
function flowsOf(run: EvmRun, { address, market, ours, from }: PositionOfWallet) {
  const { world } = run
  let shares = 0n
  let came = 0n
  let count = 0
  let outside = false
  for (const block of world.blocks.slice(0, world.final.number + 1)) {
    let stray = 0n
    for (const [hash, moves] of block.moves) {
      const moved = (token: string) =>
        moves
          .filter((move) => move.token === token && move.owner === address)
          .reduce((sum, { amount }) => sum + amount, 0n)
      const change = moved(market.share)
      if (change === 0n) continue
      count += 1
      shares += change
      if (ours.has(hash)) came -= moved(market.token)
      else stray += change
    }
    const price = market.price(block.time.getTime() / 1_000)
    outside ||= stray !== 0n
    if (block.number < from) continue
    if (block.number === from) {
      // Everything that was there at the wallet's first reconciliation came from outside.
      came = worth(market, shares, price)
      continue
    }
    if (stray === 0n) continue
    came += worth(market, shares, price) - worth(market, shares - stray, price)
  }
  return { came, count, outside }
}
