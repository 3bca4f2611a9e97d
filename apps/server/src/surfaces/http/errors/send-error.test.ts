import { expect, test } from 'vitest'
import { Failure, Money } from '../../../kernel/index.ts'
import { errorBody } from './send-error.ts'

test('amounts in details are base units on v1 and decimals on core', () => {
  const details = { token: 'POL', required: new Money(1_500_000n, 6), available: new Money(1n, 18), least: null }
  const failure = new Failure('INSUFFICIENT_GAS', { details })
  expect(errorBody('v1', failure, 'r').details).toEqual({
    token: 'POL',
    required: '1500000',
    available: '1',
    least: null,
  })
  expect(errorBody('core', failure, 'r').details).toEqual({
    token: 'POL',
    required: '1.50',
    available: '0.000000000000000001',
    least: null,
  })
})
