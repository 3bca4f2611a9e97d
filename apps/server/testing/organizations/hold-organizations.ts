// Runs in each test file: a test fails when a request sends a statement that is not limited to its organization.
import { afterAll, afterEach, inject } from 'vitest'
import { probePooledStatements, probeStatements } from '../database/probe-statements.ts'
import { createOrganizationWatch, type OrganizationWatch } from './organization-watch.ts'
import { currentRequester, followRequests } from './request-in-context.ts'

/** One of a process, whose files share their modules but run this file once each. */
const shared = globalThis as { organizationWatch?: OrganizationWatch }

if (shared.organizationWatch === undefined) {
  const made = createOrganizationWatch(inject('joinCatalog'), currentRequester)
  shared.organizationWatch = made
  followRequests()
  probePooledStatements(made.note)
  // A pool sends its own statements in the context of the request that gave the connection back.
  probeStatements((text, values, isPooled) => {
    if (!isPooled) made.note(text, values)
  })
}
const watch = shared.organizationWatch

// Also what is sent between two tests, and after the last one.
afterEach(() => watch.expectBound())
afterAll(() => watch.expectBound())
