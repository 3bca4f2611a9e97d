// Also tested elsewhere: transactions whose nonce another one used (apply-finding.test.ts), and two plans with one nonce
// (watch/finality.test.ts).
import { encodeFunctionData, erc20Abi } from 'viem'
import { expect, test } from 'vitest'
import { partsThatDieBeforeSending, supplyOf } from '../../../../testing/operations/pending-supply.ts'
import { useEngine } from '../../../../testing/operations/use-engine.ts'
import { USDC } from '../../../../testing/units.ts'
import { submitSigned } from '../../index.ts'

const use = useEngine()

test('a displaced transaction that nobody sends any longer fails when the next one of its wallet lands', async () => {
  const { client, dev, engine } = use
  const plan = await client.supply(100n * USDC)
  const [approval] = plan.transactions
  const lost = submitSigned(partsThatDieBeforeSending(engine), {
    scope: client.scope,
    operationId: plan.operationId,
    signedTransaction: await client.sign(approval!),
  })
  await expect(lost).rejects.toThrow('died')
  // The owner approves more with the same nonce, while the request may still be sending.
  const pool = engine.strategy('aave-v3:polygon:USDC').params.pool as `0x${string}`
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [pool, 1_000n * USDC] })
  await dev.included(await dev.call(client.account, client.usdcAddress, data))
  await engine.settle()
  const displaced = await client.operation(plan)
  expect(displaced.transactions[0]).toMatchObject({ status: 'pending', canStillLand: false })

  await dev.included(await client.send(supplyOf(plan)))
  await engine.settle()
  const done = await client.operation(plan)
  expect(done).toMatchObject({ state: 'COMPLETED', settledAmount: 100n * USDC })
  expect(done.transactions).toMatchObject([
    { status: 'failed', failureCode: 'NONCE_TOO_LOW', canStillLand: false },
    { status: 'confirmed' },
  ])
})
