import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { useChanges } from '../../../testing/changes/use-changes.ts'
import { inTransaction, transactOn } from '../../database/index.ts'
import { type ChangePolicy, readChangeRules } from './read-change-policy.ts'
import { requireNoRule } from './require-no-rule.ts'
import { updateChangePolicy } from './update-change-policy.ts'

const use = useChanges()
const change = (work: () => Promise<string>) =>
  requireNoRule<string>({ organizationId: use.organizationId, kind: 'keys' }, transactOn(use.parts.db))(work)

test('work without a rule is done', async () => {
  await use.setRules({})
  expect(await change(async () => 'done')).toBe('done')
})

test('a rule that was set since the request arrived refuses the work before it begins', async () => {
  await use.setRules({ keys: { requiredApprovals: 1, coolingOffSeconds: 0 } })
  let begun = false
  const work = async () => {
    begun = true
    return 'done'
  }
  await expect(change(work)).rejects.toMatchObject({ code: 'CONFLICT', details: { reason: 'change_policy_changed' } })
  expect(begun).toBe(false)
})

test('the second of two first policies at once sees the rules of the first', async () => {
  const { parts, owner, organizationId } = use
  await use.setRules({})
  const rules = { keys: { requiredApprovals: 1, coolingOffSeconds: 0 } }
  const guarded = requireNoRule<ChangePolicy>({ organizationId, kind: 'change_policy' }, transactOn(parts.db))
  let second: Promise<unknown> = Promise.resolve()
  await updateChangePolicy(parts, owner, { rules }, async (work) =>
    inTransaction(parts.db, async (tx) => {
      const first = await work(tx)
      second = updateChangePolicy(parts, owner, { rules: {} }, guarded).catch((error: unknown) => error)
      for (let waiting = 0; waiting === 0; ) {
        const { rows } = await sql<{ n: number }>`
          select count(*)::int as n from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'
        `.execute(parts.db)
        waiting = rows[0]!.n
      }
      return first
    }),
  )
  expect(await second).toMatchObject({ code: 'CONFLICT', details: { reason: 'change_policy_changed' } })
  expect(await readChangeRules(parts.db, organizationId)).toMatchObject(rules)
})
