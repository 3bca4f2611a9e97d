import type { Play } from '../play.ts'
import type { Treasury } from '../treasury/treasury.ts'
import { Violation } from '../violation.ts'

const TOKEN = 1_000_000n
/** A position of so little cannot be withdrawn: its protocol rounds it to nothing. */
const CRUMBS = 10n

/**
 * What is not as it should be once the rebalancer and healthy agents have had their time, as text; `undefined`: every
 * buffer is full or all that was deployed is back, and nothing lies idle above one that may be deployed.
 */
export async function whatIsAmiss(play: Play): Promise<string | undefined> {
  const { rows: unfinished } = await play.books.look.query<{ id: number; state: string }>(
    `select id, state from operations where state in ('PLANNING', 'PENDING_APPROVAL', 'EXECUTING', 'CONFIRMING')
      order by id limit 1`,
  )
  if (unfinished[0]) return `operation ${unfinished[0].id} is ${unfinished[0].state}`
  const { rows } = await play.books.look.query<
    Record<'id' | 'buffer' | 'available' | 'deployed', string> & { on: boolean }
  >(
    `select ow.id, ow.enable_yield as on, ow.buffer_amount::text as buffer, coalesce(b.available, 0)::text as available,
        coalesce(b.deployed, 0)::text as deployed
      from operational_wallets ow left join ledger_balances b on b.organization_id = ow.organization_id
        and b.wallet_id = ow.wallet_id and b.token_address = ow.token_address order by ow.id`,
  )
  for (const row of rows) {
    const [buffer, available, deployed] = [BigInt(row.buffer), BigInt(row.available), BigInt(row.deployed)]
    const told = `operational wallet ${row.id} has ${available} available and ${deployed} deployed with a buffer of ${buffer}`
    if (buffer - available >= TOKEN / 100n && deployed > CRUMBS) return `${told}: the buffer is not restored`
    if (row.on && available - buffer >= TOKEN) return `${told}: money lies idle`
  }
  return undefined
}

/** Whatever landed of what agents were given is known, once; and no transaction had two effects. */
export function checkEffects(play: Play, treasury: Treasury, settled: ReadonlySet<string>): void {
  const { world } = play
  const landed = new Map<string, string>()
  for (const { transactions } of world.blocks.slice(0, world.final.number + 1)) {
    for (const { sender, nonce, to, data, hash } of transactions) landed.set([sender, nonce, to, data].join(' '), hash)
  }
  const byTransaction = Map.groupBy(treasury.given.all(), ({ transaction }) => transaction.transactionId)
  for (const [transactionId, versions] of byTransaction) {
    const effects = new Set(
      versions.map(({ sender, nonce, to, data }) => landed.get([sender, nonce, to, data].join(' '))),
    )
    effects.delete(undefined)
    if (effects.size > 1)
      throw new Violation(`transaction ${transactionId} took effect twice: ${[...effects].join(' and ')}`)
    for (const hash of effects) {
      if (!settled.has(hash!))
        throw new Violation(`${hash} of transaction ${transactionId} landed, and was never settled`)
    }
  }
}
