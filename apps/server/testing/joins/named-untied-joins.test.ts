import { loadModule } from 'libpg-query'
import { expect, inject, test } from 'vitest'
import { inTransaction } from '../../src/database/index.ts'
import {
  FIRST_TURNS,
  findUnreconciledWallets,
} from '../../src/operations/settlement/discovery/find-unreconciled-wallets.ts'
import { claimEvaluations } from '../../src/wallets/index.ts'
import { readNextEvents } from '../../src/webhooks/delivery/unrelayed-events.ts'
import { countStatements, testDatabase } from '../index.ts'
import { useFixture } from '../use-fixture.ts'
import { isNamed, NAMED_UNTIED_JOINS } from './named-untied-joins.ts'
import { untiedJoins } from './untied-joins.ts'

const database = useFixture(testDatabase)

test('each untied join that is named is still sent, has its pairs, and has a reason', async () => {
  await loadModule()
  const { texts } = await countStatements(async () => {
    await findUnreconciledWallets(database.db, 'BASE', FIRST_TURNS)
    await claimEvaluations(database.db, new Date(0), 1)
    await inTransaction(database.db, (tx) => readNextEvents(tx, []))
  })
  const found = texts.flatMap((text) => untiedJoins(text, inject('joinCatalog')).map((pair) => ({ pair, text })))
  const named = found.filter(({ pair, text }) => isNamed(pair, text)).map(({ pair }) => pair)
  expect(named.sort()).toEqual(NAMED_UNTIED_JOINS.flatMap(({ pairs }) => pairs).sort())
  for (const { why } of NAMED_UNTIED_JOINS) expect(why).toMatch(/\w+ \w+/)
})
