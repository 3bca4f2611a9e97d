import { type SvmCall, sameInstructions } from '../../../src/chains/index.ts'
import { withoutComputeBudget } from '../../../src/chains/solana/transactions/compute-budget.ts'
import { readWallets, type WalletRow } from '../../checks/chain.ts'
import { checkNothingOutstanding } from '../../checks/nothing-outstanding.ts'
import { Violation } from '../../violation.ts'
import type { SolanaRun } from '../solana-run.ts'
import type { Landed } from '../world/cluster.ts'
import { MARKETS, type VaultMarket } from '../world/market.ts'
import { accrued, worthOf } from '../world/vault.ts'

interface Row {
  readonly id: number
  readonly operation_id: number
  readonly wallet_id: number
  readonly sender: string
  readonly tx_hash: string | null
  readonly final: boolean
  readonly call: SvmCall
  readonly operation_state: string
}

/** After the cluster heals and time passes, nothing is in flight, reserved, missing, unfinished or overlooked. */
export async function checkQuiescence(run: SolanaRun): Promise<void> {
  await checkNothingOutstanding(run)
  const { rows } = await run.database.reader.query<Row>(
    `select t.id, t.operation_id, o.wallet_id, t.sender, t.tx_hash, t.finalized_at is not null as final, t.call,
        o.state as operation_state
      from transactions t join operations o on o.id = t.operation_id order by t.id`,
  )
  expectNothingMissed(run, rows)
  const { rows: watched } = await run.database.reader.query<{ id: number }>(
    'select id from transactions where can_still_land',
  )
  if (watched[0]) throw new Violation(`at rest transaction ${watched[0].id} is still watched`)
  for (const wallet of await readWallets(run)) expectEarned(run, wallet, rows)
}

/** Final landings of each of the service's transactions, matched by memo and content. */
function landedById(run: SolanaRun, rows: readonly Pick<Row, 'id' | 'sender' | 'call'>[]): Map<number, Landed[]> {
  const { cluster } = run
  const byMemo = new Map(rows.map((row) => [`weir:${row.id}`, row]))
  const found = new Map<number, Landed[]>()
  for (const landed of cluster.blocks.slice(0, cluster.final.height + 1).flatMap((block) => block.landed)) {
    for (const text of landed.sent.memos) {
      const row = byMemo.get(text)
      // Anyone can write a memo.
      if (row?.sender !== landed.sent.sender) continue
      if (!sameInstructions(row.call.instructions, withoutComputeBudget(landed.sent.instructions))) continue
      found.set(row.id, [...(found.get(row.id) ?? []), landed])
    }
  }
  return found
}

/** Every issued transaction that landed is settled exactly once; none landed twice unless its client caused it. */
function expectNothingMissed(run: SolanaRun, rows: readonly Row[]): void {
  const landed = landedById(run, rows)
  for (const { id, operation_id, tx_hash, final, operation_state } of rows) {
    const own = landed.get(id) ?? []
    if (own.length > 1 && !run.doubled.has(id))
      throw new Violation(`transaction ${id} took effect twice: ${own.map(({ hash }) => hash).join(' and ')}`)
    const settled = own.find(({ hash }) => final && hash === tx_hash)
    if (own.length > 0 && !settled) throw new Violation(`${own[0]!.hash} landed, and transaction ${id} never knew`)
    if (settled?.succeeded && operation_state !== 'COMPLETED')
      throw new Violation(`operation ${operation_id} took effect and is ${operation_state}`)
  }
}

/**
 * Yield is the effect of prices on shares (rule 6), computed from the chain alone: the value of positions plus
 * outflows minus inflows. Only for wallets without movements outside the service: those are valued at the price of the
 * moment when they were noticed.
 */
function expectEarned(run: SolanaRun, wallet: WalletRow, rows: readonly Row[]): void {
  const ours = new Set(rows.filter((row) => row.wallet_id === wallet.id && row.final).map(({ tx_hash }) => tx_hash))
  for (const market of MARKETS) {
    const balance = wallet.balances.find(({ token }) => token === market.token)
    const flows = flowsOf(run, wallet.address, market, ours)
    if (!balance || flows.outside) continue
    const expected = BigInt(balance.deployed) - flows.came
    const difference = expected + BigInt(balance.yield)
    const tolerance = 2n + 2n * BigInt(flows.count)
    const finding = `wallet ${wallet.id} earned ${expected} of ${market.token} on chain and ${-BigInt(balance.yield)} as posted`
    if (difference > tolerance || -difference > tolerance) throw new Violation(finding)
    expectWorth(run, wallet, market, BigInt(balance.deployed))
  }
}

/** The deployed value is what redeeming its shares would pay at the last settled block. */
function expectWorth({ cluster, accounts }: SolanaRun, wallet: WalletRow, market: VaultMarket, deployed: bigint): void {
  const { state, time } = cluster.final
  const shares = state.amount(accounts.of(wallet.address, market.shareMint))
  const worth = worthOf(shares, accrued(state.vaults.get(market.vault)!, time))
  if (deployed - worth > 2n || worth - deployed > 2n)
    throw new Violation(`wallet ${wallet.id} has ${deployed} deployed in ${market.key}, which pays ${worth}`)
}

function flowsOf(
  { cluster, accounts }: SolanaRun,
  address: string,
  market: VaultMarket,
  ours: ReadonlySet<string | null>,
) {
  const [token, share] = [accounts.of(address, market.token), accounts.of(address, market.shareMint)]
  let came = 0n
  let count = 0
  let outside = false
  for (const { sent, hash, before, after } of cluster.blocks
    .slice(0, cluster.final.height + 1)
    .flatMap((block) => block.landed)) {
    const changeOf = (account: string) => {
      const at = sent.accounts.indexOf(account)
      return at < 0 ? 0n : (after[at]?.amount ?? 0n) - (before[at]?.amount ?? 0n)
    }
    if (changeOf(share) === 0n) continue
    count += 1
    if (ours.has(hash)) came -= changeOf(token)
    else outside = true
  }
  return { came, count, outside }
}
