import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { until } from '../../testing/until.ts'
import { deliverEvents } from '../../tour/delivered-events.ts'
import type { People } from '../../tour/people.ts'

const SECRET = `whsec_${Buffer.alloc(24, 7).toString('base64')}`

test('a tour waits for its last webhook, and prints an event once however often it arrives', async () => {
  let url = ''
  let looks = 0
  const events = [{ id: 1, event: 'transaction.updated' }]
  // What the service knows; what it has delivered is decided below.
  const people = {
    async get(path: string) {
      looks += 1
      const after = Number(/after=(\d+)/.exec(path)![1])
      const found = events.filter(({ id }) => id > after)
      return { events: found, cursor: found.at(-1)?.id ?? after, hasMore: false }
    },
    async post(_path: string, body: { url: string }) {
      url = body.url
      return { secret: SECRET }
    },
  } as unknown as People
  const deliver = async (id: number, secret = SECRET) => {
    const event = events.find((listed) => listed.id === id)?.event
    const body = JSON.stringify({ event, data: { status: `step ${id}` } })
    const now = new Date()
    const { status } = await fetch(url, {
      method: 'POST',
      body,
      headers: {
        'webhook-id': `evt_${id}`,
        'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
        'webhook-signature': new Webhook(secret).sign(`evt_${id}`, now, body),
      },
    })
    return status
  }

  const said: string[] = []
  const delivered = await deliverEvents(people, (line) => said.push(line))
  try {
    let isDone = false
    const all = delivered.through('transaction.completed').then((count) => {
      isDone = true
      return count
    })
    const isStillWaiting = async () => {
      const seen = looks
      await until(() => looks > seen + 1)
      return !isDone
    }
    events.push({ id: 2, event: 'transaction.updated' })
    expect([await deliver(2), await deliver(2)]).toEqual([204, 204])
    expect(await isStillWaiting()).toBe(true)
    events.push({ id: 3, event: 'transaction.completed' })
    expect(await deliver(3, `whsec_${Buffer.alloc(24, 8).toString('base64')}`)).toBe(401)
    expect(await isStillWaiting()).toBe(true)
    await deliver(3)
    expect(await all).toBe(2)
    expect(said).toEqual(['   webhook   transaction.updated step 2', '   webhook   transaction.completed'])
  } finally {
    await delivered.stop()
  }
})
