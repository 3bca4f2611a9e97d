import { existsSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test, vi } from 'vitest'
import { isRunning, pidOf, runInChildProcess, useTestCleanup } from '../test-cleanup.ts'
import { planSolana } from './design.ts'
import { type SolanaChain, type SolanaChainOptions, startSolanaChain } from './start-solana-chain.ts'
import { strategyOf, user } from './test-chain.ts'
import { depositInstruction } from './vault-program.ts'

const UNIT = 1_000_000n
const { defer, temporaryFolder } = useTestCleanup()

async function start(dataDir: string, options: Partial<SolanaChainOptions> = {}): Promise<SolanaChain> {
  const chain = await startSolanaChain({ dataDir, slotMs: 10, heartbeatSeconds: 0, ...options })
  defer(chain.stop)
  return chain
}

/** Everything that a client can see of one user's activity. */
async function seen(chain: SolanaChain, owner: Awaited<ReturnType<typeof user>>['signer']['address']) {
  const { rpc, vault, balance } = await user(chain)
  const { token, strategy } = strategyOf(chain, 'USDC')
  const history = await rpc.getSignaturesForAddress(owner).send()
  const transactions = await Promise.all(
    history.map(({ signature }) =>
      rpc.getTransaction(signature, { encoding: 'json', maxSupportedTransactionVersion: 0 }).send(),
    ),
  )
  const blocks = await Promise.all(
    history.map(({ slot }) => rpc.getBlock(slot, { transactionDetails: 'signatures' }).send()),
  )
  return {
    genesisHash: chain.deployment.genesisHash,
    native: (await rpc.getBalance(owner).send()).value,
    tokens: await balance(token.address, owner),
    shares: await balance(strategy.params.shareMint, owner),
    vault: await vault(strategy),
    history,
    transactions,
    blocks,
  }
}

test('a restart keeps accounts, vaults, blocks, history and unexpired blockhashes', async () => {
  const dataDir = temporaryFolder()
  const before = await start(dataDir)
  const { fund, send, sign, signer, createAssociated, associated, rpc } = await user(before)
  const { token, strategy, at } = strategyOf(before, 'USDC')
  await fund(token, 100n * UNIT)
  const me = {
    owner: signer.address,
    tokens: await associated(token.address),
    shares: await associated(strategy.params.shareMint),
  }
  await send([await createAssociated(strategy.params.shareMint), depositInstruction(at, me, 40n * UNIT)])
  const signed = await sign([depositInstruction(at, me, 10n * UNIT)])
  await before.pauseBlocks()
  const [told, head] = [await seen(before, signer.address), await rpc.getEpochInfo().send()]
  await before.stop()

  const after = await start(dataDir)
  expect([before.isNew, after.isNew]).toEqual([true, false])
  expect(await seen(after, signer.address)).toEqual(told)
  const again = await user(after)
  expect(await again.rpc.getEpochInfo().send()).toEqual(head)
  expect((await again.landed(await again.submit(signed.bytes))).meta.err).toBeNull()
  expect(await again.balance(token.address, signer.address)).toBe(50n * UNIT)
})

test("a restart does not turn back the chain's clock, not even an advanced one", async () => {
  const dataDir = temporaryFolder()
  const before = await start(dataDir)
  const advanced = await before.increaseTime(86_400)
  await before.stop()
  const next = await (await start(dataDir)).mine(1)
  expect(next.height).toBe(advanced.height + 1)
  expect(next.timestamp).toBeGreaterThanOrEqual(advanced.timestamp)
})

test('every new chain has a genesis hash of its own and the same addresses', async () => {
  const [one, two] = [await start(temporaryFolder()), await start(temporaryFolder())]
  expect(one.deployment.genesisHash).not.toBe(two.deployment.genesisHash)
  expect(one.deployment.strategies).toEqual(two.deployment.strategies)
  const { rpc } = await user(one)
  expect(await rpc.getGenesisHash().send()).toBe(one.deployment.genesisHash)
})

for (const [damage, spoil] of [
  ['cut off', (path: string) => truncateSync(path, 20_000)],
  ['something else', (path: string) => writeFileSync(path, '{"hello":"world"}'.repeat(100))],
  ['overwritten in the middle', (path: string) => writeFileSync(path, spoiled(readFileSync(path)))],
] as const) {
  test(`a state file that is ${damage} is quarantined and the chain starts from scratch`, async () => {
    const dataDir = temporaryFolder()
    await (await start(dataDir)).stop()
    spoil(join(dataDir, 'chains/solana.db'))
    const lines: string[] = []
    const chain = await start(dataDir, { log: (line) => lines.push(line) })
    expect(chain.isNew).toBe(true)
    expect(lines.join('\n')).toContain('The saved state of the solana chain is damaged')
    expect(existsSync(join(dataDir, 'chains/solana.quarantined-1.db'))).toBe(true)
  })
}

function spoiled(bytes: Buffer): Buffer {
  return bytes.fill(0x7f, 4_096)
}

test('a saved chain that is incomplete or from another release is quarantined', async () => {
  const dataDir = temporaryFolder()
  const before = await start(dataDir)
  await before.stop()
  const database = new DatabaseSync(join(dataDir, 'chains/solana.db'))
  database.exec("delete from settings where key = 'fingerprint'")
  database.close()
  const lines: string[] = []
  const after = await start(dataDir, { log: (line) => lines.push(line) })
  expect(after.isNew).toBe(true)
  expect(after.deployment.genesisHash).not.toBe(before.deployment.genesisHash)
  expect(lines.join('\n')).toContain('does not fit this release')
})

test('a chain of an earlier release continues with the program of this one', async () => {
  const dataDir = temporaryFolder()
  const before = await start(dataDir)
  await before.stop()
  const database = new DatabaseSync(join(dataDir, 'chains/solana.db'))
  const [earlier] = (await planSolana()).earlierFingerprints
  database.prepare("update settings set value = ? where key = 'fingerprint'").run(earlier!)
  database.close()
  const after = await start(dataDir)
  expect(after.isNew).toBe(false)
  expect(after.deployment.genesisHash).toBe(before.deployment.genesisHash)
  expect((await after.setStrategyState('share-vault:solana:USDC', { paused: true })).paused).toBe(true)
})

test('stop can be called twice and leaves no process', async () => {
  const dataDir = temporaryFolder()
  const chain = await start(dataDir)
  const pid = pidOf(dataDir, 'solana')
  await Promise.all([chain.stop(), chain.stop()])
  expect(isRunning(pid)).toBe(false)
})

test('a transaction accepted a moment before the stop still lands', async () => {
  const dataDir = temporaryFolder()
  const before = await start(dataDir)
  await before.pauseBlocks()
  const { sign, submit, treasury } = await user(before)
  const { bytes, signature } = await sign([], undefined, treasury)
  await submit(bytes)
  await before.stop()
  const { status } = await user(await start(dataDir))
  expect(await status(signature)).toMatchObject({ err: null })
})

test('onExit reports a chain that exits on its own, not a stopped one; a killed chain loses no block', async () => {
  const dataDir = temporaryFolder()
  const onExit = vi.fn()
  await (await start(dataDir, { onExit })).stop()
  expect(onExit).not.toHaveBeenCalled()
  const chain = await start(dataDir, { onExit })
  const { fund, signer } = await user(chain)
  await fund(strategyOf(chain, 'USDT').token, 7n)
  const { height } = await chain.mine(3)
  process.kill(pidOf(dataDir, 'solana'), 'SIGKILL')
  await vi.waitFor(() => expect(onExit).toHaveBeenCalledOnce(), { timeout: 30_000 })
  expect(onExit.mock.calls[0]).toEqual(['solana', { code: 137, signal: null }])

  const next = await start(dataDir)
  expect(next.isNew).toBe(false)
  expect((await next.mine(1)).height).toBeGreaterThan(height)
  const { balance } = await user(next)
  expect(await balance(strategyOf(next, 'USDT').token.address, signer.address)).toBe(7n)
})

test('when the parent is killed without warning the chain saves its state and exits', async () => {
  const dataDir = temporaryFolder()
  const parent = runInChildProcess(`
    const chain = await devnet.startSolanaChain({ dataDir: ${JSON.stringify(dataDir)}, heartbeatSeconds: 0 })
    console.log((await chain.mine(42)).height)`)
  defer(parent.kill)
  const height = Number(await parent.told)
  const pid = pidOf(dataDir, 'solana')
  parent.kill()
  // Starts at the same moment: it waits for its predecessor and finds the state that it saved.
  const chain = await start(dataDir)
  expect(isRunning(pid)).toBe(false)
  expect(chain.isNew).toBe(false)
  expect((await chain.mine(1)).height).toBe(height + 1)
})

test('a folder in use by another chain is refused with an error that names it', async () => {
  const dataDir = temporaryFolder()
  await start(dataDir)
  await expect(start(dataDir, { startTimeoutMs: 50 })).rejects.toThrow(`is in use: process ${pidOf(dataDir, 'solana')}`)
})

test('nobody without the secret can control the chain', async () => {
  const { url } = await start(temporaryFolder())
  const order = { method: 'POST', body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'mine', params: [1, 0] }) }
  expect((await fetch(`${url}/control`, order)).status).toBe(404)
  expect((await fetch(`${url}/control`, { ...order, headers: { 'x-weir-control': 'guess' } })).status).toBe(404)
  expect(await (await fetch(url, order)).json()).toMatchObject({ error: { code: -32_601 } })
})
