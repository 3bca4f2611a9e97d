import { type Address, type EncodedAccount, getAddressDecoder } from '@solana/kit'
import { TOKEN_PROGRAM_ADDRESS } from '@solana-program/token'
import { isTokenAccount, type Vm } from './vm.ts'

/** The balance of the token account at `accountIndex`, as in a transaction's meta. */
export type TokenBalance = {
  readonly accountIndex: number
  readonly mint: Address
  readonly owner: Address
  readonly programId: Address
  readonly uiTokenAmount: UiTokenAmount
}

export type UiTokenAmount = {
  readonly amount: string
  readonly decimals: number
  readonly uiAmount: number | null
  readonly uiAmountString: string
}

export function tokenBalances(vm: Vm, addresses: readonly Address[]): TokenBalance[] {
  return addresses.flatMap((address, accountIndex) => {
    const account = vm.account(address)
    if (account === null || !isTokenAccount(account)) return []
    const { mint, owner, amount } = tokenAccount(account)
    const uiTokenAmount = uiAmount(amount, decimalsOf(vm, mint) ?? 0)
    return [{ accountIndex, mint, owner, programId: TOKEN_PROGRAM_ADDRESS, uiTokenAmount }]
  })
}

/** Reads the fixed fields of a token account. */
export function tokenAccount({ data }: Pick<EncodedAccount, 'data'>) {
  const bytes = Buffer.from(data)
  return {
    mint: getAddressDecoder().decode(bytes, 0),
    owner: getAddressDecoder().decode(bytes, 32),
    amount: bytes.readBigUInt64LE(64),
    frozen: bytes[108] === 2,
    /** Null when it does not hold wrapped SOL. */
    rentOfNative: bytes.readUInt32LE(109) === 1 ? bytes.readBigUInt64LE(113) : null,
    delegate: bytes.readUInt32LE(72) === 1 ? getAddressDecoder().decode(bytes, 76) : null,
    delegated: bytes.readBigUInt64LE(121),
    closeAuthority: bytes.readUInt32LE(129) === 1 ? getAddressDecoder().decode(bytes, 133) : null,
  }
}

const MINT_SIZE = 82

/** Reads the fixed fields of a mint; null when the account is not a mint. */
export function mintOf(account: EncodedAccount | null) {
  if (account?.programAddress !== TOKEN_PROGRAM_ADDRESS || account.data.length !== MINT_SIZE) return null
  const bytes = Buffer.from(account.data)
  return {
    mintAuthority: bytes.readUInt32LE(0) === 1 ? getAddressDecoder().decode(bytes, 4) : null,
    supply: bytes.readBigUInt64LE(36),
    decimals: bytes[44] ?? 0,
    isInitialized: bytes[45] === 1,
    freezeAuthority: bytes.readUInt32LE(46) === 1 ? getAddressDecoder().decode(bytes, 50) : null,
  }
}

export function decimalsOf(vm: Vm, mint: Address): number | null {
  return mintOf(vm.account(mint))?.decimals ?? null
}

/** An amount as nodes return it: `amount` and `uiAmountString` are exact; `uiAmount` is a float for display. */
export function uiAmount(amount: bigint, decimals: number): UiTokenAmount {
  const digits = amount.toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  const text = fraction === '' ? whole : `${whole}.${fraction}`
  return { amount: amount.toString(), decimals, uiAmount: Number(text), uiAmountString: text }
}
