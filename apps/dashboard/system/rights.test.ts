import { expect, test } from 'vitest'
import { ROUTES } from '../../server/system/access/route-access.ts'
import { rightsOf } from '../src/api/rights.ts'
import { grants } from '../testing/grants.ts'
import { ROLES } from '../testing/role-offers.ts'

test('a request to copy is shown to each role that the service grants it, and to no other', () => {
  const changes = Object.keys(ROUTES).filter((route) => !route.startsWith('GET ') && grants(route, 'owner'))
  expect(changes.length).toBeGreaterThan(100)
  for (const role of ROLES) {
    const shown = changes.filter((route) => {
      const [method, path] = route.replaceAll(/\{\w+\}/g, '1').split(' ')
      return rightsOf(role).send(method!, path!)
    })
    expect(shown, role).toEqual(changes.filter((route) => grants(route, role)))
  }
})
