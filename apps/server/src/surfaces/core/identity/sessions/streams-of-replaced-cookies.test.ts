// A stream that a copy of a session cookie opened looks like one of the owner's own page (ADR 195). Also tested in:
// replaced-cookie.test.ts (single requests).

import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PASSWORD } from '../../../../../testing/identity/identity-fixture.ts'
import { until } from '../../../../../testing/index.ts'
import {
  cookieOf,
  cookieServer,
  csrfOf,
  OWN_PAGE,
  sendAsPage,
  signInForCookie,
} from '../../../../../testing/surfaces/cookie-server.ts'
import type { CoreServer } from '../../../../../testing/surfaces/core-server.ts'
import { openEventStream } from '../../../../../testing/surfaces/open-event-stream.ts'
import { eventParts, tellEvent } from '../../../../../testing/surfaces/serve-events.ts'
import { REPLACED_COOKIE_LIFETIME_MS } from '../../../../kernel/index.ts'
import { coreEventRoutes } from '../../webhooks/events.ts'

let server: CoreServer
let url: string
beforeAll(async () => {
  server = await cookieServer((app, parts) => coreEventRoutes(app, eventParts(parts)))
  await server.app.listen({ host: '127.0.0.1', port: 0 })
  url = `http://127.0.0.1:${(server.app.server.address() as AddressInfo).port}/api/core/events`
})
afterAll(() => server?.close())

const idsIn = (stream: Awaited<ReturnType<typeof openEventStream>>) => stream.frames().map(({ id }) => id)

test('every stream of a replaced cookie ends, and the page that has the new one reads on without a gap', async () => {
  const { cookie, organizationId } = await signInForCookie(server)
  const tell = (objectId: number) =>
    tellEvent(server.parts, { organizationId, event: 'transaction.updated', objectId, data: { id: objectId } })
  const [page, copy] = [await openEventStream(url, { cookie }), await openEventStream(url, { cookie })]
  await until(() => [page, copy].every((stream) => stream.text().startsWith('retry: ')))

  const headers = { ...OWN_PAGE, cookie, 'x-weir-csrf': await csrfOf(server, cookie) }
  const password = { currentPassword: PASSWORD, newPassword: 'quite another pass phrase 77' }
  const changed = await sendAsPage(server, { method: 'POST', url: '/api/core/auth/password', headers }, password)
  const before = await tell(1)
  await until(() => [page, copy].every((stream) => idsIn(stream).includes(before)))
  server.parts.clock.advance(REPLACED_COOKIE_LIFETIME_MS)
  const after = await tell(2)
  await until(() => page.hasEnded() && copy.hasEnded())
  expect([idsIn(page), idsIn(copy)]).toEqual([[before], [before]])

  const last = { 'last-event-id': String(before) }
  expect((await openEventStream(url, { cookie, ...last })).status).toBe(401)
  const next = await openEventStream(url, { cookie: cookieOf(changed), ...last })
  await until(() => idsIn(next).length === 1)
  expect(idsIn(next)).toEqual([after])
  next.leave()
})
