import { expect, test } from 'vitest'
import { plannedText } from './planned-text.ts'

const FEE = 'The strategy keeps 0.1% of each deposit as a fee.'

test('a move that the policy rejects is not said to be made', () => {
  expect(plannedText({ operationId: 7, status: 'REJECTED', warnings: [FEE] }, 'deploys into Aave')).toEqual({
    title: 'Rejected by the approval policy',
    text: 'Operation 7 moves nothing.',
    color: 'red',
  })
})

test('a move that people have to approve waits for them', () => {
  expect(plannedText({ operationId: 7, status: 'PENDING_APPROVAL' }, 'deploys into Aave')).toEqual({
    title: 'Waits for approval',
    text: 'Operation 7 deploys into Aave once it is approved.',
  })
})

test('a warning of the service is shown with what it is about', () => {
  expect(plannedText({ operationId: 7, status: 'EXECUTING', warnings: [FEE] }, 'deploys into Aave')).toEqual({
    title: 'Done',
    text: `Operation 7 deploys into Aave. ${FEE}`,
    color: 'yellow',
  })
})
