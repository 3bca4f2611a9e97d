import {
  type AccountMeta,
  AccountRole,
  type Address,
  getAddressDecoder,
  getAddressEncoder,
  getProgramDerivedAddress,
  type Instruction,
} from '@solana/kit'
import { SYSTEM_PROGRAM_ADDRESS } from '@solana-program/system'
import { TOKEN_PROGRAM_ADDRESS } from '@solana-program/token'

/** Client for the program in `programs/vault/README.md`: addresses, instructions, state and share price. */
export type VaultAddresses = {
  readonly program: Address
  readonly tokenMint: Address
  readonly vault: Address
  readonly shareMint: Address
  readonly liquidity: Address
}

/** Redeems the whole balance and leaves no share. */
export const ALL_SHARES = 0xffff_ffff_ffff_ffffn

/** How many more decimals a share mint has than its token. */
export const SHARE_DECIMALS_MORE = 3

export const SECONDS_A_YEAR = 31_536_000n

export async function vaultAddresses(program: Address, tokenMint: Address): Promise<VaultAddresses> {
  const derive = async (name: string, key: Address) => {
    const seeds = [name, getAddressEncoder().encode(key)]
    return (await getProgramDerivedAddress({ programAddress: program, seeds }))[0]
  }
  const vault = await derive('vault', tokenMint)
  const [shareMint, liquidity] = await Promise.all([derive('shares', vault), derive('liquidity', vault)])
  return { program, tokenMint, vault, shareMint, liquidity }
}

export type VaultTerms = {
  /** Growth of the assets per second: numerator (32 bits) over denominator. */
  readonly rateNumerator: bigint
  readonly rateDenominator: bigint
  /** Base units of the token. */
  readonly minDeposit: bigint
}

export function initializeInstruction(at: VaultAddresses, payer: Address, terms: VaultTerms): Instruction {
  return {
    programAddress: at.program,
    accounts: [
      { address: payer, role: AccountRole.WRITABLE_SIGNER },
      writable(at.vault),
      readonly(at.tokenMint),
      writable(at.shareMint),
      writable(at.liquidity),
      readonly(TOKEN_PROGRAM_ADDRESS),
      readonly(SYSTEM_PROGRAM_ADDRESS),
    ],
    data: encode(0, terms.rateNumerator, terms.rateDenominator, terms.minDeposit),
  }
}

export type VaultUser = {
  /** Must sign. */
  readonly owner: Address
  readonly tokens: Address
  readonly shares: Address
}

/** `amount` in base units of the token. The program fails if it yields fewer than `minShares` shares. */
export function depositInstruction(at: VaultAddresses, user: VaultUser, amount: bigint, minShares = 0n): Instruction {
  return { programAddress: at.program, accounts: tradeAccounts(at, user), data: encode(1, amount, minShares) }
}

/** `shares` in base units of the share mint, or `ALL_SHARES`. The program fails if they pay less than `minAmount`. */
export function redeemInstruction(at: VaultAddresses, user: VaultUser, shares: bigint, minAmount = 0n): Instruction {
  return { programAddress: at.program, accounts: tradeAccounts(at, user), data: encode(2, shares, minAmount) }
}

/** Adds to the vault's yield budget. */
export function fundYieldInstruction(
  at: VaultAddresses,
  funder: Pick<VaultUser, 'owner' | 'tokens'>,
  amount: bigint,
): Instruction {
  return {
    programAddress: at.program,
    accounts: [
      { address: funder.owner, role: AccountRole.READONLY_SIGNER },
      writable(at.vault),
      readonly(at.tokenMint),
      writable(at.liquidity),
      writable(funder.tokens),
      readonly(TOKEN_PROGRAM_ADDRESS),
    ],
    data: encode(3, amount),
  }
}

/** The governor's instructions: the tag of each, and the meaning of its value. */
const GOVERN = {
  /** 1: neither deposits nor redemptions; 0: both. */
  paused: 4,
  /** The most total assets after a deposit, plus one; 0: no cap. */
  cap: 5,
  rateNumerator: 6,
  /** Assets that are lost; 0 makes good all losses. */
  loss: 7,
  /** Tokens that leave the liquidity account for the governor's. */
  lend: 8,
} as const

/** Changes the state of a vault; the chain's treasury signs. Tokens return by an ordinary transfer. */
export function governInstruction(
  at: VaultAddresses,
  governor: Pick<VaultUser, 'owner' | 'tokens'>,
  kind: keyof typeof GOVERN,
  value: bigint,
): Instruction {
  const { accounts } = fundYieldInstruction(at, governor, 0n)
  return { programAddress: at.program, ...(accounts && { accounts }), data: encode(GOVERN[kind], value) }
}

function tradeAccounts(at: VaultAddresses, user: VaultUser): AccountMeta[] {
  return [
    { address: user.owner, role: AccountRole.READONLY_SIGNER },
    writable(at.vault),
    readonly(at.tokenMint),
    writable(at.shareMint),
    writable(at.liquidity),
    writable(user.tokens),
    writable(user.shares),
    readonly(TOKEN_PROGRAM_ADDRESS),
  ]
}

export type VaultState = {
  readonly tokenMint: Address
  readonly shareMint: Address
  readonly liquidity: Address
  /** Base units of the token, as of `lastAccrual`. */
  readonly totalAssets: bigint
  readonly totalShares: bigint
  /** Unix seconds. */
  readonly lastAccrual: bigint
  readonly rateNumerator: bigint
  readonly rateDenominator: bigint
  /** The rest of the yield budget. */
  readonly yieldLeft: bigint
  readonly virtualAssets: bigint
  readonly virtualShares: bigint
  readonly minDeposit: bigint
  readonly paused: boolean
  /** The most total assets after a deposit; null: no cap. */
  readonly depositCap: bigint | null
  /** What would make good all losses. */
  readonly lost: bigint
}

const VAULT_SIZE = 192
const VAULT_MAGIC = 'WEIRVLT1'

/** Throws when the bytes are not a vault. */
export function decodeVault(data: Uint8Array): VaultState {
  const magic = new TextDecoder().decode(data.subarray(0, 8))
  if (data.length !== VAULT_SIZE || magic !== VAULT_MAGIC) throw new Error('not a vault')
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
  const u64 = (at: number) => view.getBigUint64(at, true)
  const address = (at: number) => getAddressDecoder().decode(data, at)
  // 48 bits after the bump and the pause.
  const cap = u64(8) >> 16n
  return {
    tokenMint: address(16),
    shareMint: address(48),
    liquidity: address(80),
    totalAssets: u64(112),
    totalShares: u64(120),
    lastAccrual: view.getBigInt64(128, true),
    rateNumerator: u64(136),
    rateDenominator: u64(144),
    yieldLeft: u64(152),
    virtualAssets: u64(160),
    virtualShares: u64(168),
    minDeposit: u64(176),
    paused: data[9] !== 0,
    depositCap: cap === 0n ? null : cap - 1n,
    lost: u64(184),
  }
}

/** The vault as the program would see it at this chain time (Unix seconds). */
export function accrued(vault: VaultState, time: bigint): VaultState {
  if (time <= vault.lastAccrual) return vault
  const elapsed = time - vault.lastAccrual
  const owed = (vault.totalAssets * vault.rateNumerator * elapsed) / vault.rateDenominator
  const interest = owed < vault.yieldLeft ? owed : vault.yieldLeft
  return {
    ...vault,
    totalAssets: vault.totalAssets + interest,
    yieldLeft: vault.yieldLeft - interest,
    lastAccrual: time,
  }
}

/** What redeeming this many shares pays at that time, exact to the base unit. */
export function valueOfShares(vault: VaultState, shares: bigint, time: bigint): bigint {
  const { totalAssets, totalShares, virtualAssets, virtualShares } = accrued(vault, time)
  return (shares * (totalAssets + virtualAssets)) / (totalShares + virtualShares)
}

/** The shares that a deposit yields at that time. */
export function sharesFor(vault: VaultState, amount: bigint, time: bigint): bigint {
  const { totalAssets, totalShares, virtualAssets, virtualShares } = accrued(vault, time)
  return (amount * (totalShares + virtualShares)) / (totalAssets + virtualAssets)
}

function encode(tag: number, ...values: readonly bigint[]): Uint8Array {
  const data = new Uint8Array(1 + 8 * values.length)
  data[0] = tag
  const view = new DataView(data.buffer)
  for (const [index, value] of values.entries()) view.setBigUint64(1 + 8 * index, value, true)
  return data
}

function writable(address: Address): AccountMeta {
  return { address, role: AccountRole.WRITABLE }
}

function readonly(address: Address): AccountMeta {
  return { address, role: AccountRole.READONLY }
}
