// Runs in each test file: a test fails when the service sends a statement that could join rows of two organizations.
import { afterAll, afterEach, inject } from 'vitest'
import { probePooledStatements, probeStatements } from '../database/probe-statements.ts'
import { createJoinWatch, type JoinWatch } from './join-watch.ts'
import { isSentByTest } from './sent-by-test.ts'

/** One of a process, whose files share their modules but run this file once each. */
const shared = globalThis as { joinWatch?: JoinWatch }

if (shared.joinWatch === undefined) {
  shared.joinWatch = createJoinWatch(inject('joinCatalog'), isSentByTest)
  probePooledStatements(shared.joinWatch.notePooled)
  probeStatements(shared.joinWatch.note)
}
const watch = shared.joinWatch

// Also what is sent between two tests, and after the last one.
afterEach(() => watch.expectTied())
afterAll(() => watch.expectTied())
