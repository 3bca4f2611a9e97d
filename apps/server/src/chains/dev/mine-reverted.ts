import type { Address, Hex } from 'viem'
import { REVERT_MINED_CHECKS } from '../../kernel/index.ts'
import type { DecodedTransaction } from '../evm/transactions/decode-signed.ts'
import type { DevNode } from './dev-node.ts'
import { type JsonRpcOutcome, rpcError } from './json-rpc.ts'
import { copyAddressOf, revertShim } from './revert-shim.ts'

/** The on-chain state of a transaction's sender. */
export interface AcceptanceCheck {
  readonly head: number
  readonly nextNonce: number
  /** The node would accept the transaction into its pool; if not, its own error is the right response. */
  readonly acceptable: boolean
}

/** Checks whether a node would accept these bytes, without sending them. */
export async function checkAcceptance(node: DevNode, content: DecodedTransaction): Promise<AcceptanceCheck> {
  const [head, latest, pending, balance, chainId] = await node.batch([
    ['eth_getBlockByNumber', 'latest', false],
    ['eth_getTransactionCount', content.sender, 'latest'],
    ['eth_getTransactionCount', content.sender, 'pending'],
    ['eth_getBalance', content.sender, 'latest'],
    ['eth_chainId'],
  ])
  const { number, baseFeePerGas } = resultOf<{ number: Hex; baseFeePerGas: Hex }>(head)
  const cost = content.gas * content.maxFeePerGas + content.value
  return {
    head: Number(number),
    nextNonce: Number(resultOf<Hex>(latest)),
    acceptable:
      Number(resultOf<Hex>(chainId)) === content.chainId &&
      content.nonce >= Number(resultOf<Hex>(pending)) &&
      BigInt(resultOf<Hex>(balance)) >= cost &&
      content.maxFeePerGas >= BigInt(baseFeePerGas) &&
      content.gas >= 21_000n,
  }
}

/**
 * Mines one transaction as failed: for that one block, a shim that refuses this sender replaces the target's code. Must
 * be called exclusively (see ReadWriteLock). The target's own code is restored in every case.
 */
export async function mineReverted(
  node: DevNode,
  content: DecodedTransaction & { readonly to: string },
  head: number,
): Promise<JsonRpcOutcome> {
  const target = content.to.toLowerCase() as Address
  const copy = copyAddressOf(target)
  const shim = revertShim({ sender: content.sender.toLowerCase() as Address, copy, untilBlock: head + 4 })
  const code = await node.request<Hex>('eth_getCode', target, 'latest')
  await node.request('anvil_setCode', copy, code)
  await node.request('anvil_setCode', target, shim)
  try {
    const [sent] = await node.batch([['eth_sendRawTransaction', content.raw]])
    const outcome = sent ?? rpcError(-32_603, 'no response from the node')
    if ('result' in outcome) await waitUntilMined(node, content.hash)
    return outcome
  } finally {
    await node.request('anvil_setCode', target, code)
  }
}

/** A contract creation has no target to replace, and an address with code cannot send transactions. */
export function canForceRevert(content: DecodedTransaction): content is DecodedTransaction & { readonly to: string } {
  return content.to !== undefined && content.to !== content.sender
}

/** The shim must stay until the transaction is in a block; a chain that mines at intervals has to mine now. */
async function waitUntilMined(node: DevNode, hash: string): Promise<void> {
  for (let attempt = 0; attempt < REVERT_MINED_CHECKS.max; attempt++) {
    if ((await node.request('eth_getTransactionReceipt', hash)) !== null) return
    // Leave the first moments to a chain that mines each transaction immediately.
    if (attempt % 20 === 10) await node.request('evm_mine')
    await new Promise((resolve) => setTimeout(resolve, REVERT_MINED_CHECKS.intervalMs))
  }
  throw new Error(`the transaction ${hash} was not mined`)
}

function resultOf<T>(outcome: JsonRpcOutcome | undefined): T {
  if (outcome && 'result' in outcome) return outcome.result as T
  throw new Error(outcome?.error.message ?? 'no response from the node')
}
