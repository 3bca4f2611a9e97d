import {
  type Address,
  decodeFunctionData,
  type Hex,
  isAddressEqual,
  maxUint256,
  parseAbi,
  parseTransaction,
} from 'viem'

/** What you sign at all. Write it down yourself, from the documents of the protocols, and never take it from the service. */
export interface Rules {
  readonly chainId: number
  readonly token: Address
  /** Pools of Aave V3 and ERC-4626 vaults. */
  readonly venues: readonly Address[]
  /** The most that one transaction may cost, in wei. */
  readonly maxFee: bigint
}

/** Every function that may be signed. */
const CALLS = parseAbi([
  'function approve(address spender, uint256 amount)',
  'function supply(address asset, uint256 amount, address onBehalfOf, uint16 referralCode)',
  'function withdraw(address asset, uint256 amount, address to)',
  'function deposit(uint256 assets, address receiver)',
  'function withdraw(uint256 assets, address receiver, address owner)',
  'function redeem(uint256 shares, address receiver, address owner)',
])

export interface Move {
  readonly does: 'approve' | 'supply' | 'withdraw'
  /** Base units; the highest possible amount stands for everything. */
  readonly amount: bigint
  readonly nonce: number
}

/**
 * Throws unless the transaction moves at most `most` base units of the token from `wallet` to a venue on its behalf, or
 * brings money from a venue back to `wallet`; returns which. The bytes decide, whatever anybody says about them.
 */
export function checkTransaction(bytes: string, wallet: Address, most: bigint, rules: Rules): Move {
  const transaction = parseTransaction(bytes as Hex)
  if (transaction.type !== 'eip1559' || !transaction.to) throw new Error('refused: not a call')
  const { chainId, to, value = 0n, data = '0x', gas = 0n, maxFeePerGas = 0n, nonce = 0 } = transaction
  const isVenue = (address: Address) => rules.venues.some((venue) => isAddressEqual(venue, address))
  const isToken = (address: Address) => isAddressEqual(address, rules.token)
  const isOurs = (address: Address) => isAddressEqual(address, wallet)
  demand(chainId === rules.chainId, `chain ${chainId}`)
  demand(value === 0n, `it sends ${value} wei`)
  demand(gas * maxFeePerGas <= rules.maxFee, `it may cost ${gas * maxFeePerGas} wei`)

  const call = decodeFunctionData({ abi: CALLS, data })
  if (call.functionName === 'approve') {
    const [spender, amount] = call.args
    demand(isToken(to) && isVenue(spender) && amount <= most, `an approval of ${amount} for ${spender}`)
    return { does: 'approve', amount, nonce }
  }
  demand(isVenue(to), `${to} is not on the list`)
  if (call.functionName === 'supply') {
    const [asset, amount, owner] = call.args
    demand(isToken(asset) && amount <= most && isOurs(owner), `a supply of ${amount} for ${owner}`)
    return { does: 'supply', amount, nonce }
  }
  if (call.functionName === 'deposit') {
    const [amount, owner] = call.args
    demand(amount <= most && isOurs(owner), `a deposit of ${amount} for ${owner}`)
    return { does: 'supply', amount, nonce }
  }
  // Aave's withdrawal names the token first, a vault's the amount.
  const [first, second, third] = call.args
  const [amount, receiver] = typeof first === 'string' ? [second as bigint, third] : [first, second as Address]
  demand(typeof first !== 'string' || isToken(first), `a withdrawal of ${first}`)
  demand(isOurs(receiver as Address), `a withdrawal to ${receiver}`)
  // What shares are worth, the bytes do not say.
  return { does: 'withdraw', amount: call.functionName === 'redeem' ? maxUint256 : amount, nonce }
}

function demand(holds: boolean, otherwise: string): void {
  if (!holds) throw new Error(`refused: ${otherwise}`)
}
