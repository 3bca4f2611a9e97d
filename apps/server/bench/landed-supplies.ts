import { encodeAbiParameters, encodeEventTopics, type Hex, parseAbi } from 'viem'
import { type EvmIncludedTransaction, evmCall } from '../src/chains/index.ts'
import { type Operation, planSupply } from '../src/operations/index.ts'
import { BY_KEY } from '../testing/operations/requesters.ts'
import type { BenchDatabase } from './bench-environment.ts'
import { TOKEN, VAULT } from './memory-chain.ts'

/** What each supply moves, in base units. */
export const AMOUNT = 1_000_000n

const abi = parseAbi([
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'event Deposit(address indexed sender, address indexed owner, uint256 assets, uint256 shares)',
])

/** A supply of {@link AMOUNT}: one transaction, if the chain's allowance is that amount. */
export function planOne(
  { parts, organizationId, strategyId }: Pick<BenchDatabase, 'parts' | 'organizationId' | 'strategyId'>,
  walletId: number,
): Promise<Operation> {
  const scope = { organizationId, walletProfileId: null }
  return planSupply(parts, { scope, walletId, strategyId, tokenAddress: TOKEN, amount: AMOUNT, requestedBy: BY_KEY })
}

/** The operation's one transaction as included in a block: tokens to the vault, shares to the wallet. */
export function landed({ operationId, transactions }: Operation): Omit<EvmIncludedTransaction, 'blockNumber'> {
  const { sender, nonce, call } = transactions[0]!
  const owner = sender as Hex
  const { to, data, value } = evmCall(call)
  const transfer = (address: string, from: Hex, receiver: Hex) => ({
    address,
    topics: encodeEventTopics({ abi, eventName: 'Transfer', args: { from, to: receiver } }) as string[],
    data: encodeAbiParameters([{ type: 'uint256' }], [AMOUNT]),
  })
  const deposit = {
    address: VAULT,
    topics: encodeEventTopics({ abi, eventName: 'Deposit', args: { sender: owner, owner } }) as string[],
    data: encodeAbiParameters([{ type: 'uint256' }, { type: 'uint256' }], [AMOUNT, AMOUNT]),
  }
  return {
    family: 'evm',
    hash: `0x${operationId.toString(16).padStart(64, '0')}`,
    sender,
    to,
    nonce: nonce!,
    data,
    value,
    succeeded: true,
    failureCode: undefined,
    gasUsed: 90_000n,
    gasLimit: 100_000n,
    logs: [transfer(TOKEN, owner, VAULT), transfer(VAULT, `0x${'0'.repeat(40)}`, owner), deposit],
  }
}
