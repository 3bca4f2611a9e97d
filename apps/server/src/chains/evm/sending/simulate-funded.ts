import {
  type Address,
  concatHex,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  hexToBigInt,
  keccak256,
  numberToHex,
  pad,
} from 'viem'
import { TOKEN_STORAGE_SLOTS } from '../../../kernel/index.ts'
import { type Call, evmCall } from '../../port/calls.ts'
import { isUnsupportedMethod } from '../../rpc/node-faults.ts'
import type { EvmContext } from '../context.ts'
import { quantity } from '../wire.ts'

const SIMULATE = 'eth_simulateV1'

/** Where OpenZeppelin's upgradeable tokens keep their balances (ERC-7201). */
const NAMESPACED = '0x52c63247e1f47db19d5ce0460030c497f067ca4cebf71ba98eeadabe20bace00'

export interface Funds {
  readonly token: string
  /** Base units that the sender would have. */
  readonly amount: bigint
}

/**
 * Whether each call would succeed in a sequence where the ones before it took effect if they succeeded, and the sender
 * had these funds. `undefined`: the node cannot simulate this, or the token keeps its balances where nobody looks.
 *
 * The balance is written to every slot where tokens keep it: the key is a hash of the sender, so the others mean nothing.
 * A first call reads the balance back.
 */
export async function simulateFunded(
  { rpc, unsupportedMethods }: EvmContext,
  from: string,
  { token, amount }: Funds,
  calls: readonly Call[],
): Promise<boolean[] | undefined> {
  if (unsupportedMethods.has(SIMULATE)) return undefined
  const balanceOf = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [from as Address] })
  const wire = calls.map((call) => {
    const { to, data, value } = evmCall(call)
    return { from, to, data, value: quantity(value) }
  })
  const block = {
    stateOverrides: { [token]: { stateDiff: balanceSlots(from as Address, amount) } },
    calls: [{ from, to: token, data: balanceOf }, ...wire],
  }
  const response = await rpc.tryRequest(SIMULATE, [{ blockStateCalls: [block], validation: false }, 'latest'])
  if (!response.ok) {
    if (isUnsupportedMethod(response.error)) unsupportedMethods.add(SIMULATE)
    return undefined
  }
  const [simulated] = response.result as { calls: { status: string; returnData?: Hex }[] }[]
  const [read, ...results] = simulated?.calls ?? []
  if (read?.status !== '0x1' || !read.returnData || read.returnData === '0x') return undefined
  if (hexToBigInt(read.returnData) !== amount || results.length !== calls.length) return undefined
  return results.map(({ status }) => status === '0x1')
}

function balanceSlots(owner: Address, amount: bigint): Record<Hex, Hex> {
  const key = pad(owner)
  const value = numberToHex(amount, { size: 32 })
  const numbered = Array.from({ length: TOKEN_STORAGE_SLOTS }, (_, slot) => numberToHex(slot, { size: 32 }))
  // Solidity hashes the key first, Vyper the slot.
  const slots = [...numbered, NAMESPACED as Hex].flatMap(
    (slot) =>
      [
        [key, slot],
        [slot, key],
      ] as const,
  )
  return Object.fromEntries(slots.map((parts) => [keccak256(concatHex([...parts])), value]))
}
