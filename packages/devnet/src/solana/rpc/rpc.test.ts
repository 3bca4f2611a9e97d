import { type Address, lamports, type Signature } from '@solana/kit'
import { getSetComputeUnitLimitInstruction, getSetComputeUnitPriceInstruction } from '@solana-program/compute-budget'
import { getAddMemoInstruction, LEGACY_MEMO_PROGRAM_ADDRESS_V3 } from '@solana-program/memo'
import { getTransferSolInstruction } from '@solana-program/system'
import { getTransferCheckedInstruction } from '@solana-program/token'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { temporaryFolder } from '../../evm/test-chain.ts'
import { type SolanaChain, startSolanaChain } from '../start-solana-chain.ts'
import { nobody, strategyOf, user } from '../test-chain.ts'
import { depositInstruction } from '../vault-program.ts'

const UNIT = 1_000_000n
let chain: SolanaChain
const folder = temporaryFolder()

beforeAll(async () => {
  chain = await startSolanaChain({ dataDir: folder.path, slotMs: 10, heartbeatSeconds: 0 })
})
afterAll(async () => {
  await chain.stop()
  folder.remove()
})

/** One raw body as a wallet might send it. */
async function post(body: unknown): Promise<unknown> {
  const response = await fetch(chain.url, { method: 'POST', body: JSON.stringify(body) })
  const text = await response.text()
  return text === '' ? null : JSON.parse(text)
}

async function call(method: string, ...params: readonly unknown[]) {
  return post({ jsonrpc: '2.0', id: 1, method, params }) as Promise<{
    readonly result?: unknown
    readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown }
  }>
}

/** A user with SOL and USDC, and a transfer of SOL to nobody. */
async function funded() {
  const found = await user(chain)
  await found.fund(strategyOf(chain, 'USDC').token, 1_000n * UNIT)
  const destination = await nobody()
  const transfer = (amount = 5_000_000n) =>
    getTransferSolInstruction({ source: found.signer, destination, amount: lamports(amount) })
  return { ...found, destination, transfer }
}

test('a blockhash lives for exactly 150 blocks', async () => {
  const { rpc, sign, submit, lifetime, landed, status, transfer } = await funded()
  await chain.pauseBlocks()
  try {
    await chain.mine(1)
    const at = await lifetime()
    expect(at.lastValidBlockHeight).toBe((await rpc.getBlockHeight().send()) + 150n)
    await chain.mine(149)
    const last = await sign([transfer(1_000_000n)], at)
    expect((await rpc.isBlockhashValid(at.blockhash).send()).value).toBe(true)
    await submit(last.bytes)
    const { height } = await chain.mine(1)
    expect(BigInt(height)).toBe(at.lastValidBlockHeight)
    expect((await landed(last.signature)).meta.err).toBeNull()

    expect((await rpc.isBlockhashValid(at.blockhash).send()).value).toBe(false)
    const late = await sign([transfer(2_000_000n)], at)
    expect(await call('sendTransaction', late.bytes, { encoding: 'base64' })).toMatchObject({
      error: {
        code: -32_002,
        message: 'Transaction simulation failed: Blockhash not found',
        data: { err: 'BlockhashNotFound', logs: [] },
      },
    })
    await expect(submit(late.bytes)).rejects.toThrow('Transaction simulation failed')
    // Without preflight a node says yes, and the transaction goes nowhere.
    expect(await submit(late.bytes, true)).toBe(late.signature)
    await chain.mine(1)
    expect(await status(late.signature)).toBeNull()
  } finally {
    await chain.resumeBlocks()
  }
})

test('what waits until its blockhash is dead vanishes without a trace', async () => {
  const { rpc, sign, submit, lifetime, status, transfer } = await funded()
  await chain.pauseBlocks()
  const { bytes, signature } = await sign([transfer()], await lifetime())
  await chain.setFault({ fault: 'delay_next', count: 1 })
  await chain.mine(140)
  await submit(bytes)
  await chain.mine(30)
  await chain.resumeBlocks()
  expect(await status(signature)).toBeNull()
  expect(await rpc.getHealth().send()).toBe('ok')
})

test('a transaction runs once: sent again while it waits it is known, sent again afterwards refused', async () => {
  const { sign, submit, landed, rpc, destination, transfer } = await funded()
  await chain.pauseBlocks()
  const { bytes, signature } = await sign([transfer()])
  expect([await submit(bytes), await submit(bytes)]).toEqual([signature, signature])
  expect((await rpc.getSignatureStatuses([signature]).send()).value).toEqual([null])
  await chain.resumeBlocks()
  await landed(signature)
  expect(await call('sendTransaction', bytes, { encoding: 'base64' })).toMatchObject({
    error: { code: -32_002, data: { err: 'AlreadyProcessed' } },
  })
  expect(await submit(bytes, true)).toBe(signature)
  await chain.mine(1)
  expect((await rpc.getBalance(destination).send()).value).toBe(5_000_000n)
})

test('the record of a deposit tells every balance before and after, the logs, the calls inside and the fee', async () => {
  const { rpc, send, signer, createAssociated, associated } = await funded()
  const { token, strategy, at } = strategyOf(chain, 'USDC')
  const me = {
    owner: signer.address,
    tokens: await associated(token.address),
    shares: await associated(strategy.params.shareMint),
  }
  const memo = getAddMemoInstruction({ memo: 'txn_1' }, { programAddress: LEGACY_MEMO_PROGRAM_ADDRESS_V3 })
  const { signature, slot, meta, transaction, blockTime } = await send([
    await createAssociated(strategy.params.shareMint),
    depositInstruction(at, me, 100n * UNIT),
    memo,
    getAddMemoInstruction({ memo: 'by the newer program' }),
  ])
  const keys = transaction.message.accountKeys
  const place = (address: Address) => keys.indexOf(address)
  const amounts = (list: typeof meta.preTokenBalances) =>
    Object.fromEntries((list ?? []).map((entry) => [keys[entry.accountIndex], entry.uiTokenAmount.amount]))
  const [before, after] = [amounts(meta.preTokenBalances), amounts(meta.postTokenBalances)]
  expect([meta.err, meta.fee]).toEqual([null, 5_000n])
  expect([before[me.tokens], after[me.tokens]]).toEqual([String(1_000n * UNIT), String(900n * UNIT)])
  expect(before[me.shares]).toBeUndefined()
  expect(BigInt(after[me.shares] ?? 0)).toBeGreaterThan(90_000n * UNIT)
  expect(BigInt(after[at.liquidity] ?? 0) - BigInt(before[at.liquidity] ?? 0)).toBe(100n * UNIT)
  expect(meta.postTokenBalances?.find(({ accountIndex }) => accountIndex === place(me.shares))).toMatchObject({
    mint: strategy.params.shareMint,
    owner: signer.address,
    uiTokenAmount: { decimals: 9 },
  })
  const paid = (meta.preBalances[0] ?? 0n) - (meta.postBalances[0] ?? 0n)
  const rent = await rpc.getMinimumBalanceForRentExemption(165n).send()
  expect(paid).toBe(rent + 5_000n)
  expect(meta.logMessages).toContain('Program log: Instruction: Deposit')
  expect(meta.logMessages?.some((line) => line.startsWith('Program data: '))).toBe(true)
  expect(meta.innerInstructions?.map(({ index }) => index)).toEqual([0, 1])
  expect(meta.computeUnitsConsumed).toBeGreaterThan(5_000n)
  expect(meta.loadedAddresses).toEqual({ readonly: [], writable: [] })

  const [listed] = await rpc.getSignaturesForAddress(me.shares).send()
  expect(listed).toEqual({
    blockTime,
    confirmationStatus: 'finalized',
    err: null,
    memo: '[5] txn_1; [20] by the newer program',
    signature,
    slot,
  })
  const [raw, parsed] = await Promise.all([
    rpc.getTransaction(signature, { encoding: 'base64', maxSupportedTransactionVersion: 0 }).send(),
    rpc.getTransaction(signature, { encoding: 'jsonParsed', maxSupportedTransactionVersion: 0 }).send(),
  ])
  expect(raw).toMatchObject({ version: 0, transaction: [expect.any(String), 'base64'] })
  expect(parsed?.transaction.message.accountKeys[0]).toMatchObject({
    pubkey: signer.address,
    signer: true,
    writable: true,
  })
  expect(await call('getTransaction', signature)).toMatchObject({ error: { code: -32_015 } })
})

test('what failed after it began is in its block, with its fee, its error and no other effect', async () => {
  const { rpc, sign, submit, landed, status, signer, transfer } = await funded()
  const before = (await rpc.getBalance(signer.address).send()).value
  const { bytes, signature } = await sign([transfer(1_000n), transfer(10n ** 15n)])
  expect(await call('sendTransaction', bytes, { encoding: 'base64' })).toMatchObject({
    error: {
      code: -32_002,
      message: expect.stringContaining('custom program error: 0x1'),
      data: { err: { InstructionError: [1, { Custom: 1 }] }, logs: expect.arrayContaining([expect.any(String)]) },
    },
  })
  await submit(bytes, true)
  const { meta, slot } = await landed(signature)
  expect(JSON.stringify(meta.err, (_key, value) => (typeof value === 'bigint' ? Number(value) : value))).toBe(
    '{"InstructionError":[1,{"Custom":1}]}',
  )
  expect(await status(signature)).toMatchObject({ slot, confirmations: null, confirmationStatus: 'finalized' })
  expect((await rpc.getBalance(signer.address).send()).value).toBe(before - 5_000n)
})

test('the fee of a message is what its sender pays, whatever it offers for its compute units', async () => {
  const { rpc, send, sign, signer, transfer, createAssociated } = await funded()
  const { strategy } = strategyOf(chain, 'USDT')
  const price = getSetComputeUnitPriceInstruction({ microLamports: 1_234_567n })
  for (const instructions of [
    [transfer()],
    [price, transfer()],
    [price, getSetComputeUnitLimitInstruction({ units: 54_321 }), transfer()],
    [price, await createAssociated(strategy.params.shareMint)],
  ]) {
    const { bytes } = await sign(instructions)
    const message = Buffer.from(bytes, 'base64').subarray(65).toString('base64')
    const { value: expected } = (await call('getFeeForMessage', message)).result as { readonly value: number }
    const { meta } = await send(instructions)
    const moved = meta.postBalances.reduce((sum, lamportsOf) => sum + lamportsOf, 0n)
    const paid = meta.preBalances.reduce((sum, lamportsOf) => sum + lamportsOf, 0n) - moved
    expect([paid, meta.fee]).toEqual([BigInt(expected), BigInt(expected)])
  }
  expect((await rpc.getBalance(signer.address).send()).value).toBeGreaterThan(0n)
})

test('bytes that nobody signed, or that were changed after signing, are refused', async () => {
  const { sign, transfer } = await funded()
  const { bytes } = await sign([transfer()])
  const raw = Buffer.from(bytes, 'base64')
  const changed = Buffer.from(raw).fill(1, raw.length - 8, raw.length - 4)
  const unsigned = Buffer.from(raw).fill(0, 1, 65)
  for (const bad of [changed, unsigned]) {
    const answer = await call('sendTransaction', bad.toString('base64'), { encoding: 'base64', skipPreflight: true })
    expect(answer.error?.code).toBe(-32_003)
  }
  for (const bad of [
    raw.subarray(0, 80),
    Buffer.concat([raw, Buffer.from([0])]),
    Buffer.from('hello'),
    Buffer.alloc(2_000),
  ]) {
    expect((await call('sendTransaction', bad.toString('base64'), { encoding: 'base64' })).error?.code).toBe(-32_602)
  }
})

test('a simulation changes nothing, needs no signature, and shows accounts as they would be', async () => {
  const { rpc, sign, signer, destination, transfer } = await funded()
  const { bytes } = await sign([transfer()])
  const unsigned = Buffer.from(bytes, 'base64').fill(0, 1, 65).toString('base64') as typeof bytes
  const { value } = await rpc
    .simulateTransaction(unsigned, {
      encoding: 'base64',
      replaceRecentBlockhash: true,
      innerInstructions: true,
      accounts: { addresses: [destination], encoding: 'base64' },
    })
    .send()
  expect(value).toMatchObject({ err: null, unitsConsumed: 150n, accounts: [{ lamports: 5_000_000n }] })
  expect((value as { readonly replacementBlockhash?: unknown }).replacementBlockhash).toBeDefined()
  expect(await call('simulateTransaction', unsigned, { encoding: 'base64', sigVerify: true })).toMatchObject({
    error: { code: -32_003 },
  })
  const failing = await sign([transfer(10n ** 15n)])
  const failed = await rpc.simulateTransaction(failing.bytes, { encoding: 'base64' }).send()
  expect(failed.value.logs?.join()).toContain('insufficient lamports')
  const empty = await nobody()
  const poor = await rpc.getBalance(empty).send()
  expect([poor.value, (await rpc.getBalance(destination).send()).value]).toEqual([0n, 0n])
  expect((await rpc.getBalance(signer.address).send()).value).toBe(1_000_000_000n)
})

test('history is listed newest first, in pages, between two signatures', async () => {
  const { rpc, send, signer, transfer } = await funded()
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
  const { rpc, sign, submit, landed, transfer } = await funded()
  await chain.pauseBlocks()
  const from = await rpc.getSlot().send()
  const sent = [await sign([transfer(1_000_001n)]), await sign([transfer(1_000_002n)])]
  for (const { bytes } of sent) await submit(bytes)
  await chain.mine(1, 3)
  await chain.mine(2)
  await chain.resumeBlocks()
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
  expect((await call('getBlock', Number(from) + 1)).error?.code).toBe(-32_007)
  expect((await call('getBlock', Number(from) + 1_000)).error?.code).toBe(-32_004)
})

test('token accounts are found by owner and mint, and told in parts to those who ask', async () => {
  const { rpc, signer, associated } = await funded()
  const { token, strategy } = strategyOf(chain, 'USDC')
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
  const full = (await call('getAccountInfo', account, { encoding: 'base64' })).result
  expect(full).toMatchObject({ value: { rentEpoch: 2 ** 64, space: 165 } })
})

test('the methods that every wallet asks at its start answer', async () => {
  const { rpc } = await user(chain)
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

test('batches are answered in their order, and every wrong body with the code of its fault', async () => {
  const ask = (id: number, method: string, params: unknown = []) => ({ jsonrpc: '2.0', id, method, params })
  const answers = await post([ask(1, 'getHealth'), ask(2, 'nothing'), ask(3, 'getBalance', ['?']), 7])
  expect(answers).toMatchObject([
    { id: 1, result: 'ok' },
    { id: 2, error: { code: -32_601 } },
    { id: 3, error: { code: -32_602 } },
    { id: null, error: { code: -32_600 } },
  ])
  expect(await post([])).toMatchObject({ error: { code: -32_600 } })
  expect(await post({ jsonrpc: '2.0', method: 'getHealth' })).toBeNull()
  expect((await call('constructor')).error?.code).toBe(-32_601)
  expect((await call('requestAirdrop', await nobody(), 1)).error).toMatchObject({ code: -32_601 })
  expect((await call('getSlot', { minContextSlot: 10 ** 9 })).error).toMatchObject({ code: -32_016 })
  const broken = await fetch(chain.url, { method: 'POST', body: '{' })
  expect(await broken.json()).toMatchObject({ error: { code: -32_700 } })
})

test('blocks come by themselves while something happens, and the time of the chain follows the clock', async () => {
  const { rpc, send, transfer } = await funded()
  const { slot } = await send([transfer()])
  await vi.waitFor(async () => expect(await rpc.getSlot().send()).toBeGreaterThan(slot + 20n), { timeout: 10_000 })
  const { timestamp } = await chain.mine(1)
  const target = timestamp + 1_000
  expect((await chain.setTime(target)).timestamp).toBe(target)
  expect((await chain.mine(1)).timestamp).toBeGreaterThanOrEqual(target)
  await expect(chain.setTime(target - 1)).rejects.toThrow('already')
})

test('a transfer of tokens lands with both balances', async () => {
  const { send, signer, associated } = await funded()
  const { token } = strategyOf(chain, 'USDC')
  const friend = await funded()
  const source = await associated(token.address)
  const destination = await friend.associated(token.address)
  const { meta } = await send([
    getTransferCheckedInstruction({
      source,
      mint: token.address,
      destination,
      authority: signer,
      amount: 400n * UNIT,
      decimals: 6,
    }),
  ])
  expect(meta.err).toBeNull()
  expect(await friend.balance(token.address)).toBe(1_400n * UNIT)
})
