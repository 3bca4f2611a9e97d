import fc from 'fast-check'
import { expect, test } from 'vitest'
import { HOUR_SECONDS, renameUnder, requestedBy, useChanges } from '../../../testing/changes/use-changes.ts'
import { draws } from '../../../testing/draws.ts'
import { addMilliseconds } from '../../kernel/index.ts'
import { cancelChangeRequest } from './cancel-change-request.ts'
import { completeChangeRequest } from './complete-change-request.ts'
import { expireChangeRequests } from './expire-change-requests.ts'
import { getChangeRequest } from './read-change-requests.ts'
import { rejectChangeRequest } from './reject-change-request.ts'

const use = useChanges()
/** `CHANGES_RUNS=200` draws 200 new ones; a failure prints the seed for `CHANGES_SEED`, and the path. */
const DRAWS = draws('CHANGES_', { numRuns: 30, seed: 20_260_305 })
const PEOPLE = ['owner', 'admin', 'grace', 'linus', 'viewer'] as const
type Person = (typeof PEOPLE)[number]

type Step =
  | { readonly do: 'approve' | 'reject' | 'demote' | 'promote' | 'remove'; readonly who: Person }
  | { readonly do: 'cancel' | 'complete' | 'complete another' | 'complete twice at once' | 'sweep' }
  | { readonly do: 'wait'; readonly hours: number }

const who = fc.constantFrom(...PEOPLE)
const other = fc.constantFrom<Person>('admin', 'grace', 'linus', 'viewer')
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant('approve' as const), who }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('reject' as const), who: other }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('demote' as const, 'promote' as const), who: other }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('remove' as const), who: other }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constantFrom('complete' as const, 'complete another' as const, 'complete twice at once' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('cancel' as const, 'sweep' as const) }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('wait' as const), hours: fc.constantFrom(0.5, 1, 100, 200) }) },
)

/** A model of what must hold, apart from the code: who approved and may, and since when that suffices. */
class Expected {
  readonly canApprove = new Set<Person>(['owner', 'admin', 'grace', 'linus'])
  readonly present = new Set<Person>(PEOPLE)
  isEnded = false
  /** When an approval last made too few enough. Further approvals do not restart the cooling-off period. */
  enoughSince: Date | undefined
  readonly #required: number
  readonly #approvals = new Set<Person>()

  constructor(required: number) {
    this.#required = required
  }

  get isEnough(): boolean {
    const counted = [...this.#approvals].filter(
      (person) => person !== 'owner' && this.present.has(person) && this.canApprove.has(person),
    )
    return counted.length >= this.#required
  }

  approve(person: Person, at: Date): void {
    const wasEnough = this.isEnough
    this.#approvals.add(person)
    if (this.isEnough && !wasEnough) this.enoughSince = at
  }
}

test('a change is made at most once, by its own body, after enough approvals of others have cooled off', async () => {
  let made = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 5, maxLength: 25 }),
      fc.constantFrom(1, 2),
      async (steps, required) => {
        const { organizationId } = use
        // An organization may have a hundred open requests, and shrinking a failure needs more.
        await use.parts.db.deleteFrom('change_decisions').where('organization_id', '=', organizationId).execute()
        await use.parts.db.deleteFrom('change_requests').where('organization_id', '=', organizationId).execute()
        const idOf = (person: Person) => (person === 'owner' ? use.owner.userId : use.ids[person])
        for (const person of ['admin', 'grace', 'linus', 'viewer'] as const) {
          await use.parts.db
            .updateTable('users')
            .set({ removed_at: null, role: person === 'viewer' ? 'viewer' : 'approver' })
            .where('id', '=', idOf(person))
            .execute()
        }
        const rule = { requiredApprovals: required, coolingOffSeconds: HOUR_SECONDS }
        const request = await use.request({ rule })
        const ref = { organizationId, changeRequestId: request.id }
        const expected = new Expected(required)
        let completions = 0

        const attempt = async (fingerprint = request.fingerprint): Promise<boolean> => {
          try {
            await renameUnder(use.parts, use.claimOf(request, { fingerprint }), completeChangeRequest)
            return true
          } catch {
            return false
          }
        }
        const onCompleted = () => {
          completions += 1
          made += 1
          expect(completions).toBe(1)
          expect(expected.isEnded).toBe(false)
          expect(expected.isEnough).toBe(true)
          const cooled = addMilliseconds(expected.enoughSince!, HOUR_SECONDS * 1_000)
          expect(cooled <= use.parts.clock.now()).toBe(true)
          expected.isEnded = true
        }

        const onEnded = () => {
          expect(expected.isEnded).toBe(false)
          expected.isEnded = true
        }

        for (const one of steps) {
          const now = use.parts.clock.now()
          switch (one.do) {
            case 'wait':
              use.parts.clock.advance(one.hours * 3_600_000)
              break
            case 'sweep':
              await expireChangeRequests(use.parts)
              break
            case 'demote':
              await use.setRole(idOf(one.who), 'viewer')
              expected.canApprove.delete(one.who)
              break
            case 'promote':
              await use.setRole(idOf(one.who), 'approver')
              expected.canApprove.add(one.who)
              break
            case 'remove':
              await use.remove(idOf(one.who))
              expected.present.delete(one.who)
              break
            case 'approve':
              // The surface admits present approvers only.
              if (!expected.present.has(one.who) || !expected.canApprove.has(one.who)) break
              if (
                await use.approve(request, idOf(one.who)).then(
                  () => true,
                  () => false,
                )
              ) {
                expect([one.who, expected.isEnded]).toEqual([expect.not.stringMatching('owner'), false])
                expected.approve(one.who, now)
              }
              break
            case 'reject':
              await rejectChangeRequest(use.parts, { ...ref, userId: idOf(one.who) }).then(onEnded, () => undefined)
              break
            case 'cancel':
              await cancelChangeRequest(use.parts, { ...ref, userId: use.owner.userId }).then(onEnded, () => undefined)
              break
            case 'complete':
              if (await attempt()) onCompleted()
              break
            case 'complete another':
              expect(await attempt(requestedBy(use.owner).fingerprint)).toBe(false)
              break
            case 'complete twice at once':
              for (const done of await Promise.all([attempt(), attempt()])) if (done) onCompleted()
          }
        }
        const { state } = await getChangeRequest(use.parts, ref)
        expect(state === 'completed').toBe(completions === 1)
      },
    ),
    // At least one sequence makes its change, whatever the others are.
    {
      ...DRAWS,
      examples: [
        [[{ do: 'approve', who: 'grace' }, { do: 'wait', hours: 2 }, { do: 'complete' }], 1],
        [
          // The later approval joins while the first still counts, so the first may go.
          [
            { do: 'approve', who: 'admin' },
            { do: 'wait', hours: 1 },
            { do: 'approve', who: 'linus' },
            { do: 'demote', who: 'admin' },
            { do: 'complete' },
          ],
          1,
        ],
        [
          // The later approval comes after the first was lost, so the period begins again.
          [
            { do: 'approve', who: 'admin' },
            { do: 'demote', who: 'admin' },
            { do: 'wait', hours: 1 },
            { do: 'approve', who: 'linus' },
            { do: 'complete' },
          ],
          1,
        ],
      ],
    },
  )
  expect(made).toBeGreaterThan(0)
})
