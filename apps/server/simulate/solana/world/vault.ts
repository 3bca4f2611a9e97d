import { base58 } from '@scure/base'
import type { VaultMarket } from './market.ts'
import type { Vault } from './state.ts'

/** The share vault's arithmetic, from its program's document. All divisions round down. */
const YEAR_BP = 10_000n * 31_536_000n
const VIRTUAL = { assets: 1n, shares: 1_000n }
const MAGIC = 'WEIRVLT1'

/** The vault with interest up to a time: simple interest, limited by its budget. */
export function accrued(vault: Vault, time: number): Vault {
  const now = BigInt(time)
  if (now <= vault.accruedAt) return vault
  const owed = (vault.assets * vault.rate * (now - vault.accruedAt)) / YEAR_BP
  const interest = owed < vault.yieldLeft ? owed : vault.yieldLeft
  return { ...vault, assets: vault.assets + interest, yieldLeft: vault.yieldLeft - interest, accruedAt: now }
}

export const sharesFor = (amount: bigint, { assets, shares }: Vault): bigint =>
  (amount * (shares + VIRTUAL.shares)) / (assets + VIRTUAL.assets)

export const worthOf = (held: bigint, { assets, shares }: Vault): bigint =>
  (held * (assets + VIRTUAL.assets)) / (shares + VIRTUAL.shares)

/** What the vault could pay for shares now: what it holds of their value. */
export function payableFor(held: bigint, vault: Vault, liquidity: bigint): bigint {
  if (vault.paused) return 0n
  const value = worthOf(held, vault)
  return [value, vault.assets, liquidity].reduce((least, amount) => (amount < least ? amount : least))
}

/**
 * The least that Weir reports as withdrawable: redeemed shares earn until they land, so it leaves a day's interest of what
 * the vault holds. Interest may compound within the day.
 */
export function leastReported(held: bigint, vault: Vault, liquidity: bigint): bigint {
  const payable = payableFor(held, vault, liquidity)
  const interest = (liquidity * vault.rate * 86_400n) / YEAR_BP
  const later = liquidity - (interest * 101n) / 100n
  return payable < later ? payable : later
}

/** The same shares, worth what they are after more time: more than the vault holds is not paid at all. */
export function isPayableAfter(seconds: number, asked: bigint, vault: Vault, liquidity: bigint): boolean {
  const later = accrued(vault, Number(vault.accruedAt) + seconds)
  return worthOf(sharesFor(asked, vault), later) <= liquidity
}

/** How much the vault takes now; `null`: any amount. */
export function roomOf({ paused, cap, assets }: Vault): bigint | null {
  if (paused) return 0n
  if (cap === null) return null
  return cap > assets ? cap - assets : 0n
}

/** The account's 192 bytes. */
export function encodeVault({ token, shareMint, liquidity }: VaultMarket, vault: Vault): Buffer {
  const data = Buffer.alloc(192)
  data.write(MAGIC, 0, 'latin1')
  data[9] = vault.paused ? 1 : 0
  data.writeUIntLE(vault.cap === null ? 0 : Number(vault.cap) + 1, 10, 6)
  for (const [index, address] of [token, shareMint, liquidity].entries())
    data.set(base58.decode(address), 16 + 32 * index)
  const words = [vault.assets, vault.shares, vault.accruedAt, vault.rate, YEAR_BP, vault.yieldLeft]
  for (const [index, word] of [...words, VIRTUAL.assets, VIRTUAL.shares, 1n].entries())
    data.writeBigUInt64LE(word, 112 + 8 * index)
  return data
}
