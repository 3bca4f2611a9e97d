import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { exactTime, ownZone, relativeTime } from './time.ts'

const ZONES = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata']
const DAY_MS = 86_400_000
const NOW = Date.parse('2026-11-27T09:00:00Z')

let given: string | undefined
beforeEach(() => {
  given = process.env.TZ
})
afterEach(() => {
  if (given === undefined) delete process.env.TZ
  else process.env.TZ = given
  vi.unstubAllGlobals()
})

test.each(ZONES)(
  'a time in the own zone %s reads as the format of the platform writes it, summer and winter',
  (own) => {
    process.env.TZ = own
    vi.stubGlobal('Temporal', { Now: { timeZoneId: () => own } })
    for (const zone of ZONES) {
      const options = { dateStyle: 'medium', timeStyle: 'medium', timeZone: zone, hour12: false } as const
      const format = new Intl.DateTimeFormat('en-GB', options)
      for (let at = NOW; at < NOW + 400 * DAY_MS; at += 1.7 * DAY_MS) {
        expect(exactTime(new Date(at).toISOString(), zone)).toBe(`${format.format(at)} ${zone}`)
      }
    }
  },
)

test('the own zone is what Intl says, where there is no Temporal', () => {
  vi.stubGlobal('Temporal', undefined)
  expect(ownZone()).toBe(Intl.DateTimeFormat().resolvedOptions().timeZone)
})

test('a distance reads as the format of the platform writes it', () => {
  const format = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' })
  const after = (seconds: number) => relativeTime(new Date(NOW + seconds * 1_000).toISOString(), NOW)
  const lengths = { second: 1, minute: 60, hour: 3_600, day: 86_400, month: 2_592_000, year: 31_536_000 } as const
  const counts = { second: [10, 59], minute: [1, 2, 59], hour: [1, 23], day: [1, 29], month: [1, 12], year: [1, 2, 30] }
  for (const [unit, length] of Object.entries(lengths)) {
    for (const count of counts[unit as keyof typeof lengths]) {
      for (const sign of [-1, 1]) {
        const text = format.format(sign * count, unit as keyof typeof lengths)
        expect([unit, sign * count, after(sign * count * length)]).toEqual([unit, sign * count, text])
      }
    }
  }
  for (const seconds of [-9, 0, 9]) expect(after(seconds)).toBe('just now')
})
