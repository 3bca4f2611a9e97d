import { setTimeout as sleep } from 'node:timers/promises'
import { type Address, decodeFunctionResult, encodeFunctionData, type Hex, maxUint256, numberToHex } from 'viem'
import { VenueRefused } from '../strategy-state.ts'
import { type Artifact, readArtifact } from './artifacts.ts'
import { type Rpc, RpcError } from './rpc.ts'

/** A call of a contract whose artifact is at `path`. */
export type ContractCall = {
  readonly path: string
  readonly to: Address
  readonly functionName: string
  readonly args?: readonly unknown[]
}

/** The account that changes the state of venues on a running chain. Nobody else uses its nonces. */
export type Governor = {
  readonly address: Address
  /** Sends a transaction and waits until it is in a block. Throws VenueRefused, with the reason, when it would fail. */
  send(call: ContractCall): Promise<void>
  read<Result>(call: ContractCall): Promise<Result>
  /** Mints what the governor lacks of a token and lets the spender take it. */
  provide(token: Address, amount: bigint, spender: Address): Promise<void>
}

const RECEIPT_TIMEOUT_MS = 10_000
const POLL_MS = 5
/** More than any call of the governor uses. */
const CALL_GAS = numberToHex(3_000_000)

export function createGovernor(rpc: Rpc, address: Address): Governor {
  const artifacts = new Map<string, Artifact>()
  const artifact = (path: string): Artifact => {
    const known = artifacts.get(path) ?? readArtifact(path)
    artifacts.set(path, known)
    return known
  }
  const encode = ({ path, functionName, args = [] }: ContractCall) =>
    encodeFunctionData({ abi: artifact(path).abi, functionName, args: [...args] })

  async function read<Result>(call: ContractCall): Promise<Result> {
    const data = await rpc.call<Hex>('eth_call', [{ to: call.to, data: encode(call) }, 'latest'])
    return decodeFunctionResult({ abi: artifact(call.path).abi, functionName: call.functionName, data }) as Result
  }

  async function send(call: ContractCall): Promise<void> {
    await rpc.call('anvil_impersonateAccount', [address])
    const transaction = { from: address, to: call.to, data: encode(call) }
    // Names the reason of a refusal. No estimate of gas: interest may begin to accrue between it and the block.
    try {
      await rpc.call('eth_call', [transaction, 'latest'])
    } catch (error) {
      if (!(error instanceof RpcError)) throw error
      throw new VenueRefused(`${call.functionName} is refused: ${error.message}`, { cause: error })
    }
    const hash = await rpc.call<Hex>('eth_sendTransaction', [{ ...transaction, gas: CALL_GAS }])
    const deadline = performance.now() + RECEIPT_TIMEOUT_MS
    while (performance.now() < deadline) {
      const receipt = await rpc.call<{ readonly status: Hex } | null>('eth_getTransactionReceipt', [hash])
      if (receipt?.status === '0x1') return
      if (receipt !== null) throw new Error(`${call.path}.${call.functionName} failed in ${hash}`)
      await sleep(POLL_MS)
    }
    throw new Error(`${call.path}.${call.functionName} is in no block after ${RECEIPT_TIMEOUT_MS} ms`)
  }

  return {
    address,
    read,
    send,
    async provide(token, amount, spender) {
      const erc20 = { path: 'weir/DevToken', to: token }
      const held = await read<bigint>({ ...erc20, functionName: 'balanceOf', args: [address] })
      if (held < amount) await send({ ...erc20, functionName: 'mint', args: [address, amount - held] })
      const allowed = await read<bigint>({ ...erc20, functionName: 'allowance', args: [address, spender] })
      // No token here uses up an unlimited allowance.
      if (allowed < amount) await send({ ...erc20, functionName: 'approve', args: [spender, maxUint256] })
    },
  }
}
