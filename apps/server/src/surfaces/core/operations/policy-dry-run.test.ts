import { expect, test } from 'vitest'
import { createOperationalWallet, planExplicitMove } from '../../../../testing/rebalancing/operational-wallets.ts'
import { refusal, useTreasury } from '../../../../testing/surfaces/use-treasury.ts'
import { USDC } from '../../../../testing/units.ts'
import { policyDryRunRoute } from './policy-dry-run.ts'

const treasury = useTreasury(policyDryRunRoute)

const large = {
  mode: 'conditional',
  rules: [{ name: 'large', when: { amountAtLeast: '500.00' }, then: 'require_approval' }],
  default: 'approve',
  requiredApprovals: 2,
}
const run = (body: object, token = treasury.staff.tokens.viewer) =>
  treasury.send('POST', '/api/core/approval-policy/dry-run', body, { token })

test('a viewer learns what a policy would have decided, changed nothing, and wrote no audit entry', async () => {
  const { engine, staff } = treasury
  const client = await engine.client({ organizationId: staff.organizationId, usdc: 1_000n * USDC })
  await engine.settle()
  const wallet = await createOperationalWallet(engine, client)
  const { operationId } = await planExplicitMove(engine, wallet, { type: 'SUPPLY', amount: 600n * USDC })
  const { status, body } = await run({ policy: large })
  expect(status).toBe(200)
  expect(body.data).toEqual({
    since: expect.stringMatching(/T.*Z$/),
    operations: 1,
    truncated: false,
    outcomes: { approve: 0, require_approval: 1, reject: 0 },
    changed: 1,
    changes: [
      {
        operationId,
        type: 'SUPPLY',
        walletId: client.wallet.walletId,
        strategy: 'Aave V3 USDC',
        venue: 'Aave V3',
        amount: '600.00',
        token: 'USDC',
        plannedAt: expect.any(String),
        inForce: {
          outcome: 'approve',
          rule: null,
          requiredApprovals: 0,
          explanation: 'The policy is automatic: every operation goes ahead.',
        },
        tried: {
          outcome: 'require_approval',
          rule: 'large',
          requiredApprovals: 2,
          explanation: 'The rule "large" holds, because the amount is at least 500.00: approval is required.',
        },
      },
    ],
  })
  expect(await treasury.audited('dryRunApprovalPolicy')).toEqual([])
})

test('a policy is required, and the period has a limit', async () => {
  expect(await run({})).toMatchObject(refusal(400, 'VALIDATION_ERROR'))
  expect(await run({ policy: large, days: 93 })).toMatchObject(refusal(400, 'VALIDATION_ERROR'))
  expect(await run({ policy: { ...large, rules: [{ name: 'x', when: { odd: 1 }, then: 'reject' }] } })).toMatchObject({
    body: { details: { issues: [{ path: 'policy.rules[0].when.odd' }] } },
  })
})
