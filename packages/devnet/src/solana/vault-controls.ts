import type { Address } from '@solana/kit'
import { findAssociatedTokenPda, getTransferInstruction, TOKEN_PROGRAM_ADDRESS } from '@solana-program/token'
import { type StrategyControls, VenueRefused } from '../strategy-state.ts'
import { signerOf } from './accounts.ts'
import type { SolanaPlan } from './design.ts'
import { include, type Step } from './include.ts'
import type { Ledger } from './ledger.ts'
import type { PriceFeeds } from './price-feeds.ts'
import type { VaultDeployments } from './vault-deployments.ts'
import { accrued, decodeVault, governInstruction, type VaultState } from './vault-program.ts'

type Vault = SolanaPlan['vaults'][number]

/** Offset of the amount in a token account, after mint and owner. */
const AMOUNT_AT = 64
const BASIS_POINTS = 10_000n
/** The cap, plus one, has 48 bits. */
const CAP_END = 2n ** 48n - 1n

/** The controls of each share vault, by the key of its strategy. The treasury signs. */
export function vaultControls(parts: VaultParts, plan: SolanaPlan): ReadonlyMap<string, StrategyControls> {
  return new Map(plan.vaults.map((vault) => [`share-vault:solana:${vault.token.symbol}`, controlsOf(parts, vault)]))
}

type VaultParts = { readonly ledger: Ledger; readonly feeds: PriceFeeds; readonly deployments: VaultDeployments }

function controlsOf({ ledger, feeds, deployments }: VaultParts, { token, at, terms }: Vault): StrategyControls {
  const dataOf = (address: Address) => {
    const account = ledger.vm.account(address)
    if (account === null) throw new Error(`${address} does not exist`)
    return Uint8Array.from(account.data)
  }
  const state = (): VaultState => accrued(decodeVault(dataOf(at.vault)), BigInt(ledger.time()))
  const held = () => {
    const data = dataOf(at.liquidity)
    return new DataView(data.buffer).getBigUint64(AMOUNT_AT, true)
  }
  /** What the vault could pay now. */
  const payable = () => minOf(state().totalAssets, held())

  async function send(instructionsFor: (governor: Governor) => Step['instructions']): Promise<void> {
    const treasury = await signerOf('treasury')
    const owner = treasury.address
    const seeds = { owner, mint: token.address, tokenProgram: TOKEN_PROGRAM_ADDRESS }
    const [tokens] = await findAssociatedTokenPda(seeds)
    try {
      await include(ledger, treasury, { instructions: instructionsFor({ owner, tokens }) })
    } catch (error) {
      throw new VenueRefused(error instanceof Error ? error.message : String(error), { cause: error })
    }
  }
  const govern = (kind: Parameters<typeof governInstruction>[2], value: bigint) =>
    send((governor) => [governInstruction(at, governor, kind, value)])

  async function leave(amount: bigint | undefined): Promise<void> {
    const rest = payable() - minOf(amount ?? payable(), payable())
    const lent = held() - rest
    if (lent > 0n) await govern('lend', lent)
  }

  async function comeBack(amount: bigint | undefined): Promise<void> {
    const { totalAssets, yieldLeft } = state()
    const missing = totalAssets + yieldLeft - held()
    // With all that depositors are owed, the budget for their yield returns too.
    const returned = amount === undefined || payable() + amount >= totalAssets ? missing : minOf(amount, missing)
    if (returned <= 0n) return
    await send(({ owner, tokens }) => [
      getTransferInstruction({ source: tokens, destination: at.liquidity, authority: owner, amount: returned }),
    ])
  }

  return {
    liquidity: (direction, amount) => (direction === 'leave' ? leave(amount) : comeBack(amount)),
    async depositCap(cap) {
      if (cap !== null && cap >= CAP_END) throw new VenueRefused(`The cap has at most ${CAP_END - 1n} base units`)
      await govern('cap', cap === null ? 0n : cap + 1n)
    },
    paused: (paused) => govern('paused', paused ? 1n : 0n),
    lossBasisPoints: (basisPoints) => govern('loss', (state().totalAssets * BigInt(basisPoints)) / BASIS_POINTS),
    // The vault's part of the yield stays in the budget, so the rate of the shares is lower.
    feeBasisPoints: (basisPoints) =>
      govern('rateNumerator', (terms.rateNumerator * (BASIS_POINTS - BigInt(basisPoints))) / BASIS_POINTS),
    async tokenPrice(price) {
      feeds.setPrice(token.symbol, price, ledger.time())
    },
    async upgraded(upgraded) {
      if (upgraded !== deployments.isReplaced()) deployments.deploy(upgraded, ledger.head().slot)
    },
    async read() {
      const { paused, depositCap, totalAssets, rateNumerator } = state()
      return {
        paused,
        frozen: false,
        depositCap,
        totalAssets,
        liquidity: payable(),
        feeBasisPoints: Number(BASIS_POINTS - (rateNumerator * BASIS_POINTS) / terms.rateNumerator),
        tokenPrice: feeds.price(token.symbol),
        upgraded: deployments.isReplaced(),
      }
    },
  }
}

type Governor = { readonly owner: Address; readonly tokens: Address }

function minOf(one: bigint, other: bigint): bigint {
  return one < other ? one : other
}
