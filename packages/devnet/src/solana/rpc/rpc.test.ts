import type { Signature } from '@solana/kit'
import { expect, test, vi } from 'vitest'
import { nobody, strategyOf, user } from '../test-chain.ts'
import { UNIT, useRpc } from './test-rpc.ts'

const node = useRpc()

test('history is listed newest first, in pages, between two signatures', async () => {
  const { rpc, send, signer, transfer } = await node.funded()
  const sent: Signature[] = []
  for (let n = 0; n < 5; n++) sent.unshift((await send([transfer(1_000_000n + BigInt(n))])).signature)
  const of = async (options: Parameters<typeof rpc.getSignaturesForAddress>[1]) =>
    (await rpc.getSignaturesForAddress(signer.address, options).send()).map(({ signature }) => signature)
  const [newest, second, third, fourth, fifth] = sent
  expect((await of({})).slice(0, 5)).toEqual(sent)
  expect(await of({ limit: 2 })).toEqual([newest, second])
  expect(await of({ before: second as Signature, limit: 2 })).toEqual([third, fourth])
  expect(await of({ until: third as Signature })).toEqual([newest, second])
  expect(await of({ before: newest as Signature, until: fifth as Signature })).toEqual([second, third, fourth])
})

test('a follower walks the blocks over skipped slots, each with its parent, and finds every transaction', async () => {
  const { rpc, sign, submit, landed, transfer } = await node.funded()
  await node.chain.pauseBlocks()
  const from = await rpc.getSlot().send()
  const sent = [await sign([transfer(1_000_001n)]), await sign([transfer(1_000_002n)])]
  for (const { bytes } of sent) await submit(bytes)
  await node.chain.mine(1, 3)
  await node.chain.mine(2)
  await node.chain.resumeBlocks()
  const slots = await rpc.getBlocks(from, from + 6n).send()
  expect(slots).toEqual([from, from + 4n, from + 5n, from + 6n])
  const blocks = await Promise.all(
    slots.map((slot) => rpc.getBlock(slot, { maxSupportedTransactionVersion: 0 }).send()),
  )
  for (const [index, block] of blocks.entries()) {
    const parent = blocks[index - 1]
    if (block === null || !parent) continue
    expect([block.previousBlockhash, block.parentSlot]).toEqual([parent.blockhash, slots[index - 1]])
    expect(block.blockHeight).toBe((parent.blockHeight ?? 0n) + 1n)
  }
  const found = blocks.flatMap((block) => block?.transactions.map(({ transaction }) => transaction.signatures[0]) ?? [])
  expect(found.slice(-2)).toEqual(sent.map(({ signature }) => signature))
  expect(Number((await landed(sent[0]!.signature)).slot)).toBe(Number(from) + 4)
  expect(await rpc.getBlockTime(from + 4n).send()).toBe(blocks[1]?.blockTime)
  expect(await rpc.getBlock(from + 4n, { transactionDetails: 'signatures' }).send()).toMatchObject({
    signatures: sent.map(({ signature }) => signature),
  })
  expect((await node.call('getBlock', Number(from) + 1)).error?.code).toBe(-32_007)
  expect((await node.call('getBlock', Number(from) + 1_000)).error?.code).toBe(-32_004)
})

test('token accounts are found by owner and mint, and data slices are returned on request', async () => {
  const { rpc, signer, associated } = await node.funded()
  const { token, strategy } = strategyOf(node.chain, 'USDC')
  const account = await associated(token.address)
  const { value } = await rpc
    .getTokenAccountsByOwner(signer.address, { mint: token.address }, { encoding: 'jsonParsed' })
    .send()
  expect(value.map(({ pubkey }) => pubkey)).toEqual([account])
  expect(value[0]?.account.data.parsed.info.tokenAmount).toMatchObject({ amount: '1000000000', uiAmountString: '1000' })
  const both = await rpc.getMultipleAccounts([account, await nobody()], { encoding: 'jsonParsed' }).send()
  expect(both.value).toMatchObject([{ data: { parsed: { type: 'account' } } }, null])
  const supply = (await rpc.getTokenSupply(strategy.params.shareMint).send()).value
  expect([supply.decimals, BigInt(supply.amount) > 0n]).toEqual([9, true])
  const sliced = await rpc.getAccountInfo(account, { encoding: 'base64', dataSlice: { offset: 64, length: 8 } }).send()
  expect(Buffer.from(sliced.value?.data[0] ?? '', 'base64').readBigUInt64LE()).toBe(1_000n * UNIT)
  const full = (await node.call('getAccountInfo', account, { encoding: 'base64' })).result
  expect(full).toMatchObject({ value: { rentEpoch: 2 ** 64, space: 165 } })
})

test('the methods that every wallet calls at its start respond', async () => {
  const { rpc } = await user(node.chain)
  const [version, health, fees, first, info] = await Promise.all([
    rpc.getVersion().send(),
    rpc.getHealth().send(),
    rpc.getRecentPrioritizationFees().send(),
    rpc.getFirstAvailableBlock().send(),
    rpc.getEpochInfo().send(),
  ])
  expect(version['solana-core']).toMatch(/^\d+\.\d+\.\d+$/)
  expect([health, first]).toEqual(['ok', 1_000n])
  expect(fees.at(-1)?.prioritizationFee).toBe(0n)
  expect(info.absoluteSlot).toBeGreaterThan(info.blockHeight)
})

test('batches are answered in order, and every malformed body gets its own error code', async () => {
  const ask = (id: number, method: string, params: unknown = []) => ({ jsonrpc: '2.0', id, method, params })
  const answers = await node.post([ask(1, 'getHealth'), ask(2, 'nothing'), ask(3, 'getBalance', ['?']), 7])
  expect(answers).toMatchObject([
    { id: 1, result: 'ok' },
    { id: 2, error: { code: -32_601 } },
    { id: 3, error: { code: -32_602 } },
    { id: null, error: { code: -32_600 } },
  ])
  expect(await node.post([])).toMatchObject({ error: { code: -32_600 } })
  expect(await node.post({ jsonrpc: '2.0', method: 'getHealth' })).toBeNull()
  expect((await node.call('constructor')).error?.code).toBe(-32_601)
  expect((await node.call('requestAirdrop', await nobody(), 1)).error).toMatchObject({ code: -32_601 })
  expect((await node.call('getSlot', { minContextSlot: 10 ** 9 })).error).toMatchObject({ code: -32_016 })
  const broken = await fetch(node.chain.url, { method: 'POST', body: '{' })
  expect(await broken.json()).toMatchObject({ error: { code: -32_700 } })
})

test('blocks are produced automatically during activity, and chain time follows the clock', async () => {
  const { rpc, send, transfer } = await node.funded()
  const { slot } = await send([transfer()])
  await vi.waitFor(async () => expect(await rpc.getSlot().send()).toBeGreaterThan(slot + 20n), { timeout: 30_000 })
  const { timestamp } = await node.chain.mine(1)
  const target = timestamp + 1_000
  expect((await node.chain.setTime(target)).timestamp).toBe(target)
  expect((await node.chain.mine(1)).timestamp).toBeGreaterThanOrEqual(target)
  await expect(node.chain.setTime(target - 1)).rejects.toThrow('already')
})
