import { lamports } from '@solana/kit'
import { getTransferSolInstruction } from '@solana-program/system'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { temporaryFolder } from '../evm/test-chain.ts'
import { type SolanaChain, startSolanaChain } from './start-solana-chain.ts'
import { nobody, strategyOf, user } from './test-chain.ts'

let chain: SolanaChain
const folder = temporaryFolder()

beforeAll(async () => {
  chain = await startSolanaChain({ dataDir: folder.path, slotMs: 10, heartbeatSeconds: 0 })
})
afterAll(async () => {
  await chain.stop()
  folder.remove()
})

async function funded() {
  const found = await user(chain)
  await found.fund(strategyOf(chain, 'USDC').token, 1n)
  const destination = await nobody()
  const transfer = getTransferSolInstruction({ source: found.signer, destination, amount: lamports(5_000_000n) })
  const received = async () => (await found.rpc.getBalance(destination).send()).value
  return { ...found, transfer, received }
}

test('drop_next: accepted and dropped; the same bytes sent again land', async () => {
  const { sign, submit, status, landed, transfer, signer } = await funded()
  await chain.setFault({ fault: 'drop_next', count: 1, signers: [signer.address] })
  const { bytes, signature } = await sign([transfer])
  expect(await submit(bytes)).toBe(signature)
  await chain.mine(3)
  expect([await status(signature), await chain.faultsLeft('drop_next')]).toEqual([null, 0])
  await submit(bytes)
  expect((await landed(signature)).meta.err).toBeNull()
})

test('delay_next: held for 20 blocks', async () => {
  const { sign, submit, status, landed, transfer, rpc } = await funded()
  await chain.pauseBlocks()
  await chain.setFault({ fault: 'delay_next', count: 1 })
  const { bytes, signature } = await sign([transfer])
  const height = await rpc.getBlockHeight().send()
  await submit(bytes)
  await chain.mine(19)
  expect(await status(signature)).toBeNull()
  await chain.resumeBlocks()
  const { slot } = await landed(signature)
  expect((await rpc.getBlock(slot, { transactionDetails: 'none' }).send())?.blockHeight).toBe(height + 20n)
})

test('revert_next: lands as failed, pays its fee and moves nothing', async () => {
  const { sign, submit, landed, transfer, received, rpc, signer } = await funded()
  await chain.setFault({ fault: 'revert_next', count: 1 })
  const { bytes, signature } = await sign([transfer])
  await submit(bytes)
  const { meta } = await landed(signature)
  expect(meta.err).toEqual({ InstructionError: [0n, 'ProgramFailedToComplete'] })
  expect([meta.fee, await received()]).toEqual([5_000n, 0n])
  expect((await rpc.getBalance(signer.address).send()).value).toBe(1_000_000_000n - 5_000n)
})

test('a fault with signers affects only their transactions, one by signature only that transaction', async () => {
  const [struck, spared] = [await funded(), await funded()]
  await chain.setFault({ fault: 'revert_next', count: 5, signers: [struck.signer.address] })
  expect((await spared.send([spared.transfer])).meta.err).toBeNull()
  expect((await struck.send([struck.transfer])).meta.err).not.toBeNull()
  expect(await chain.faultsLeft('revert_next')).toBe(4)
  await chain.setFault({ fault: 'revert_next', count: 0 })
  expect(await chain.faultsLeft('revert_next')).toBe(0)

  const { bytes, signature } = await spared.sign([spared.transfer])
  await chain.injectFault(signature, 'revert_next')
  expect((await struck.send([struck.transfer])).meta.err).toBeNull()
  await spared.submit(bytes)
  expect((await spared.landed(signature)).meta.err).not.toBeNull()
})

test('rpc_down refuses the given number of requests, and the control path stays up', async () => {
  await chain.setFault({ fault: 'rpc_down', count: 2 })
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getHealth' })
  const statuses = []
  for (let n = 0; n < 3; n++) statuses.push((await fetch(chain.url, { method: 'POST', body })).status)
  expect(statuses).toEqual([503, 503, 200])
  expect(await chain.faultsLeft('rpc_down')).toBe(0)
})

test('simulation_fails affects simulations and preflights', async () => {
  const { sign, submit, rpc, transfer } = await funded()
  const { bytes } = await sign([transfer])
  await chain.setFault({ fault: 'simulation_fails', count: 2 })
  const { value } = await rpc.simulateTransaction(bytes, { encoding: 'base64' }).send()
  expect(value.err).toEqual({ InstructionError: [0n, { Custom: 1n }] })
  await expect(submit(bytes)).rejects.toThrow('Transaction simulation failed')
  await submit(bytes)
})
