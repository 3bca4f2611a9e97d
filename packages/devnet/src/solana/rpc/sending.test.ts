import type { Address } from '@solana/kit'
import { getSetComputeUnitLimitInstruction, getSetComputeUnitPriceInstruction } from '@solana-program/compute-budget'
import { getAddMemoInstruction, LEGACY_MEMO_PROGRAM_ADDRESS_V3 } from '@solana-program/memo'
import { getTransferCheckedInstruction } from '@solana-program/token'
import { expect, test } from 'vitest'
import { nobody, strategyOf } from '../test-chain.ts'
import { depositInstruction } from '../vault-program.ts'
import { UNIT, useRpc } from './test-rpc.ts'

const node = useRpc()

test('a blockhash lives for exactly 150 blocks', async () => {
  const { rpc, sign, submit, lifetime, landed, status, transfer } = await node.funded()
  await node.chain.pauseBlocks()
  try {
    await node.chain.mine(1)
    const at = await lifetime()
    expect(at.lastValidBlockHeight).toBe((await rpc.getBlockHeight().send()) + 150n)
    await node.chain.mine(149)
    const last = await sign([transfer(1_000_000n)], at)
    expect((await rpc.isBlockhashValid(at.blockhash).send()).value).toBe(true)
    await submit(last.bytes)
    const { height } = await node.chain.mine(1)
    expect(BigInt(height)).toBe(at.lastValidBlockHeight)
    expect((await landed(last.signature)).meta.err).toBeNull()

    expect((await rpc.isBlockhashValid(at.blockhash).send()).value).toBe(false)
    const late = await sign([transfer(2_000_000n)], at)
    expect(await node.call('sendTransaction', late.bytes, { encoding: 'base64' })).toMatchObject({
      error: {
        code: -32_002,
        message: 'Transaction simulation failed: Blockhash not found',
        data: { err: 'BlockhashNotFound', logs: [] },
      },
    })
    await expect(submit(late.bytes)).rejects.toThrow('Transaction simulation failed')
    // Without preflight a node accepts the transaction, and it goes nowhere.
    expect(await submit(late.bytes, true)).toBe(late.signature)
    await node.chain.mine(1)
    expect(await status(late.signature)).toBeNull()
  } finally {
    await node.chain.resumeBlocks()
  }
})

test('a transaction that waits past the life of its blockhash vanishes without a trace', async () => {
  const { rpc, sign, submit, lifetime, status, transfer } = await node.funded()
  await node.chain.pauseBlocks()
  const { bytes, signature } = await sign([transfer()], await lifetime())
  await node.chain.setFault({ fault: 'delay_next', count: 1 })
  await node.chain.mine(140)
  await submit(bytes)
  await node.chain.mine(30)
  await node.chain.resumeBlocks()
  expect(await status(signature)).toBeNull()
  expect(await rpc.getHealth().send()).toBe('ok')
})

test('a transaction runs once: a resend is accepted while it waits and refused after it landed', async () => {
  const { sign, submit, landed, rpc, destination, transfer } = await node.funded()
  await node.chain.pauseBlocks()
  const { bytes, signature } = await sign([transfer()])
  expect([await submit(bytes), await submit(bytes)]).toEqual([signature, signature])
  expect((await rpc.getSignatureStatuses([signature]).send()).value).toEqual([null])
  await node.chain.resumeBlocks()
  await landed(signature)
  expect(await node.call('sendTransaction', bytes, { encoding: 'base64' })).toMatchObject({
    error: { code: -32_002, data: { err: 'AlreadyProcessed' } },
  })
  expect(await submit(bytes, true)).toBe(signature)
  await node.chain.mine(1)
  expect((await rpc.getBalance(destination).send()).value).toBe(5_000_000n)
})

test('the record of a deposit has balances before and after, logs, inner calls and the fee', async () => {
  const { rpc, send, signer, createAssociated, associated } = await node.funded()
  const { token, strategy, at } = strategyOf(node.chain, 'USDC')
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
  expect(await node.call('getTransaction', signature)).toMatchObject({ error: { code: -32_015 } })
})

test('a transaction that fails while running is in its block with its fee, its error and no other effect', async () => {
  const { rpc, sign, submit, landed, status, signer, transfer } = await node.funded()
  const before = (await rpc.getBalance(signer.address).send()).value
  const { bytes, signature } = await sign([transfer(1_000n), transfer(10n ** 15n)])
  expect(await node.call('sendTransaction', bytes, { encoding: 'base64' })).toMatchObject({
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

test('the fee quoted for a message is what its sender pays, whatever its compute unit price', async () => {
  const { rpc, send, sign, signer, transfer, createAssociated } = await node.funded()
  const { strategy } = strategyOf(node.chain, 'USDT')
  const price = getSetComputeUnitPriceInstruction({ microLamports: 1_234_567n })
  for (const instructions of [
    [transfer()],
    [price, transfer()],
    [price, getSetComputeUnitLimitInstruction({ units: 54_321 }), transfer()],
    [price, await createAssociated(strategy.params.shareMint)],
  ]) {
    const { bytes } = await sign(instructions)
    const message = Buffer.from(bytes, 'base64').subarray(65).toString('base64')
    const { value: expected } = (await node.call('getFeeForMessage', message)).result as { readonly value: number }
    const { meta } = await send(instructions)
    const moved = meta.postBalances.reduce((sum, lamportsOf) => sum + lamportsOf, 0n)
    const paid = meta.preBalances.reduce((sum, lamportsOf) => sum + lamportsOf, 0n) - moved
    expect([paid, meta.fee]).toEqual([BigInt(expected), BigInt(expected)])
  }
  expect((await rpc.getBalance(signer.address).send()).value).toBeGreaterThan(0n)
})

test('bytes that nobody signed, or that were changed after signing, are refused', async () => {
  const { sign, transfer } = await node.funded()
  const { bytes } = await sign([transfer()])
  const raw = Buffer.from(bytes, 'base64')
  const changed = Buffer.from(raw).fill(1, raw.length - 8, raw.length - 4)
  const unsigned = Buffer.from(raw).fill(0, 1, 65)
  for (const bad of [changed, unsigned]) {
    const answer = await node.call('sendTransaction', bad.toString('base64'), {
      encoding: 'base64',
      skipPreflight: true,
    })
    expect(answer.error?.code).toBe(-32_003)
  }
  for (const bad of [
    raw.subarray(0, 80),
    Buffer.concat([raw, Buffer.from([0])]),
    Buffer.from('hello'),
    Buffer.alloc(2_000),
  ]) {
    expect((await node.call('sendTransaction', bad.toString('base64'), { encoding: 'base64' })).error?.code).toBe(
      -32_602,
    )
  }
})

test('a simulation changes nothing, needs no signature, and shows accounts as they would be', async () => {
  const { rpc, sign, signer, destination, transfer } = await node.funded()
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
  expect(await node.call('simulateTransaction', unsigned, { encoding: 'base64', sigVerify: true })).toMatchObject({
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

test('a transfer of tokens lands with both balances', async () => {
  const { send, signer, associated } = await node.funded()
  const { token } = strategyOf(node.chain, 'USDC')
  const friend = await node.funded()
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
