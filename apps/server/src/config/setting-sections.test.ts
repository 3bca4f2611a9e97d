import { expect, test } from 'vitest'
import { settingSections } from './setting-sections.ts'
import { SETTINGS } from './settings.ts'

test('each setting stands below one subject, and no subject is empty', () => {
  const sections = settingSections()
  const named = sections.flatMap(({ settings }) => settings.map(({ name }) => name))
  expect(named.toSorted()).toEqual(
    Object.values(SETTINGS)
      .map(({ name }) => name)
      .toSorted(),
  )
  expect(sections.filter(({ settings }) => settings.length === 0)).toEqual([])
})
