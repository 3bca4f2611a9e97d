import { decodeFunctionData, encodeFunctionData, getAddress, type Hex, parseAbi } from 'viem'
import { Refusal, refuseUnless } from '../refusal.ts'

/** Every function that this package understands. Each kind of contract accepts only its own. */
const ABIS = {
  token: parseAbi(['function approve(address spender, uint256 amount)']),
  'aave-v3': parseAbi([
    'function supply(address asset, uint256 amount, address onBehalfOf, uint16 referralCode)',
    'function withdraw(address asset, uint256 amount, address to)',
  ]),
  'compound-v3': parseAbi([
    'function supply(address asset, uint256 amount)',
    'function withdraw(address asset, uint256 amount)',
  ]),
  erc4626: parseAbi([
    'function deposit(uint256 assets, address receiver)',
    'function withdraw(uint256 assets, address receiver, address owner)',
    'function redeem(uint256 shares, address receiver, address owner)',
  ]),
  erc7540: parseAbi([
    'function deposit(uint256 assets, address receiver)',
    'function requestRedeem(uint256 shares, address controller, address owner)',
    'function withdraw(uint256 assets, address receiver, address controller)',
  ]),
  'cooldown-vault': parseAbi([
    'function deposit(uint256 assets, address receiver)',
    'function cooldownAssets(uint256 assets)',
    'function cooldownShares(uint256 shares)',
    'function unstake(address receiver)',
    'function withdraw(uint256 assets, address receiver, address owner)',
    'function redeem(uint256 shares, address receiver, address owner)',
  ]),
} as const

export type Contract = keyof typeof ABIS

export type EvmCall =
  | { readonly name: 'approve'; readonly spender: string; readonly amount: bigint }
  | { readonly name: 'supply'; readonly asset: string; readonly amount: bigint; readonly to: string }
  | { readonly name: 'pool-withdraw'; readonly asset: string; readonly amount: bigint; readonly to: string }
  /** Comet credits and pays its caller. */
  | { readonly name: 'market-supply' | 'market-withdraw'; readonly asset: string; readonly amount: bigint }
  | { readonly name: 'deposit'; readonly amount: bigint; readonly to: string }
  | { readonly name: 'withdraw'; readonly amount: bigint; readonly to: string; readonly from: string }
  | { readonly name: 'redeem'; readonly shares: bigint; readonly to: string; readonly from: string }
  | { readonly name: 'request'; readonly shares: bigint; readonly to: string; readonly from: string }
  | { readonly name: 'cooldown-assets'; readonly amount: bigint }
  | { readonly name: 'cooldown-shares'; readonly shares: bigint }
  | { readonly name: 'unstake'; readonly to: string }

/**
 * Decodes the call data of a known kind of contract. Encodes the result again and compares, so that neither trailing
 * bytes nor dirty bits get through.
 */
export function readCall(contract: Contract, data: Hex): EvmCall {
  const { functionName, args, again } = attempt(contract, data)
  refuseUnless(again === data, 'MALFORMED', `the call data of ${functionName} is not in canonical form`)
  return callOf(contract, functionName, args)
}

function attempt(contract: Contract, data: Hex) {
  const abi = ABIS[contract]
  try {
    const { functionName, args = [] } = decodeFunctionData({ abi, data })
    const again = encodeFunctionData({ abi, functionName, args } as Parameters<typeof encodeFunctionData>[0])
    return { functionName, args: args as readonly unknown[], again }
  } catch {
    throw new Refusal('UNKNOWN_METHOD', `call data ${data.slice(0, 10)} is not a known method of ${KINDS[contract]}`)
  }
}

const KINDS: Readonly<Record<Contract, string>> = {
  token: 'a token',
  'aave-v3': "Aave V3's Pool",
  'compound-v3': "Compound V3's Comet",
  erc4626: 'an ERC-4626 vault',
  erc7540: 'an ERC-7540 vault',
  'cooldown-vault': 'a vault with a cooldown',
}

function callOf(contract: Contract, name: string, args: readonly unknown[]): EvmCall {
  const amount = (index: number) => args[index] as bigint
  const address = (index: number) => getAddress(args[index] as string)
  switch (`${contract} ${name}`) {
    case 'token approve':
      return { name: 'approve', spender: address(0), amount: amount(1) }
    case 'aave-v3 supply':
      refuseUnless(args[3] === 0, 'SOMETHING_ELSE', `the deposit carries the referral code ${args[3]}`)
      return { name: 'supply', asset: address(0), amount: amount(1), to: address(2) }
    case 'aave-v3 withdraw':
      return { name: 'pool-withdraw', asset: address(0), amount: amount(1), to: address(2) }
    case 'compound-v3 supply':
      return { name: 'market-supply', asset: address(0), amount: amount(1) }
    case 'compound-v3 withdraw':
      return { name: 'market-withdraw', asset: address(0), amount: amount(1) }
    case 'erc4626 deposit':
    case 'erc7540 deposit':
    case 'cooldown-vault deposit':
      return { name: 'deposit', amount: amount(0), to: address(1) }
    case 'erc4626 withdraw':
    case 'erc7540 withdraw':
    case 'cooldown-vault withdraw':
      return { name: 'withdraw', amount: amount(0), to: address(1), from: address(2) }
    case 'erc4626 redeem':
    case 'cooldown-vault redeem':
      return { name: 'redeem', shares: amount(0), to: address(1), from: address(2) }
    case 'erc7540 requestRedeem':
      return { name: 'request', shares: amount(0), to: address(1), from: address(2) }
    case 'cooldown-vault cooldownAssets':
      return { name: 'cooldown-assets', amount: amount(0) }
    case 'cooldown-vault cooldownShares':
      return { name: 'cooldown-shares', shares: amount(0) }
    case 'cooldown-vault unstake':
      return { name: 'unstake', to: address(0) }
    default:
      throw new Refusal('UNKNOWN_METHOD', `${name} is not a known method of ${KINDS[contract]}`)
  }
}
