import {
  type AbiFunction,
  decodeFunctionData,
  encodeFunctionData,
  type Hex,
  keccak256,
  maxUint256,
  parseAbi,
  parseTransaction,
  toFunctionSelector,
} from 'viem'

/** A value of a call, by its name. */
export interface Argument {
  readonly name: string
  readonly value: string
  /** An amount of the operation's token, an address, or any other value. */
  readonly kind: 'amount' | 'everything' | 'address' | 'other'
}

/** What call data say, read in this browser and not taken from the service. */
export interface DecodedCall {
  /** `approve(address spender, uint256 amount)`; undefined: no function that is known here. */
  readonly signature: string | undefined
  readonly args: readonly Argument[]
}

export interface DecodedTransaction extends DecodedCall {
  readonly chainId: number | undefined
  readonly to: string
  readonly nonce: number | undefined
  readonly value: bigint
  readonly data: Hex
  /** What a signer of these bytes signs. */
  readonly signingHash: Hex
}

/** Every function that plans call: of tokens, and of the protocols that money is lent to. */
const ABI = parseAbi([
  'function approve(address spender, uint256 amount)',
  // Aave
  'function supply(address asset, uint256 amount, address onBehalfOf, uint16 referralCode)',
  'function withdraw(address asset, uint256 amount, address to)',
  // Compound
  'function supply(address asset, uint256 amount)',
  'function withdraw(address asset, uint256 amount)',
  // ERC-4626
  'function deposit(uint256 assets, address receiver)',
  'function withdraw(uint256 assets, address receiver, address owner)',
  'function redeem(uint256 shares, address receiver, address owner)',
  // ERC-7540; its withdraw is that of ERC-4626
  'function requestRedeem(uint256 shares, address controller, address owner)',
  // Vaults with a cooldown
  'function cooldownAssets(uint256 assets)',
  'function cooldownShares(uint256 shares)',
  'function unstake(address receiver)',
]) as readonly AbiFunction[]

const BY_SELECTOR = new Map(ABI.map((item) => [toFunctionSelector(item), item]))
const SELECTOR_LENGTH = 10

/** Decodes call data of an EVM chain. */
export function decodeCall(data: string): DecodedCall {
  const item = BY_SELECTOR.get(data.slice(0, SELECTOR_LENGTH).toLowerCase() as Hex)
  const values = item && valuesOf(item, data.toLowerCase() as Hex)
  if (item === undefined || values === undefined) return { signature: undefined, args: [] }
  const inputs = item.inputs.map(({ type, name }) => `${type} ${name}`).join(', ')
  return {
    signature: `${item.name}(${inputs})`,
    args: item.inputs.map(({ name = '', type }, at) => argumentOf(name, type, values[at])),
  }
}

/** The arguments; undefined if anything in the data is not theirs, which a reader would not see. */
function valuesOf(item: AbiFunction, data: Hex): readonly unknown[] | undefined {
  try {
    const { args = [] } = decodeFunctionData({ abi: [item], data })
    return encodeFunctionData({ abi: [item], args }) === data ? (args as readonly unknown[]) : undefined
  } catch {
    // Fewer bytes than the function takes.
    return undefined
  }
}

function argumentOf(name: string, type: string, value: unknown): Argument {
  if (type === 'address') return { name, value: String(value), kind: 'address' }
  if (name !== 'amount' && name !== 'assets') return { name, value: String(value), kind: 'other' }
  return { name, value: String(value), kind: value === maxUint256 ? 'everything' : 'amount' }
}

/** Decodes an unsigned transaction of an EVM chain. Throws if the bytes are not one. */
export function decodeEvm(serialized: string): DecodedTransaction {
  const { chainId, to, nonce, value = 0n, data = '0x' } = parseTransaction(serialized as Hex)
  return {
    ...decodeCall(data),
    chainId,
    to: to ?? '',
    nonce,
    value,
    data,
    signingHash: keccak256(serialized as Hex),
  }
}
