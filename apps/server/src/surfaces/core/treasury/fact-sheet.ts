import Type from 'typebox'
import { delayOf, type FactSheet, type Strategy } from '../../../venues/index.ts'
import { orNull } from '../formats.ts'

const text = (description: string) => Type.String({ description })

const Control = Type.Object(
  {
    power: Type.Enum(['upgrade', 'pause', 'allocate', 'configure'], {
      description:
        '`upgrade`: replaces the code that holds deposits. `pause`: stops deposits or withdrawals. `allocate`: moves deposits to other markets or strategies. `configure`: changes caps, rates, fees or oracles.',
    }),
    holder: text('Who has it.'),
    delaySeconds: orNull(
      Type.Integer({ minimum: 0, description: 'Seconds.' }),
      'Seconds from the announcement on the chain to the effect. 0: at once. Null: neither the sources nor the contract say.',
    ),
    note: orNull(text('Note.'), 'Note; null if there is none.'),
  },
  { description: 'Somebody who can change what a deposit is exposed to.' },
)

/** A sheet of checked-in facts, as responses have it. */
export const Facts = Type.Object(
  {
    protocol: text('Protocol and version.'),
    yieldSource: text('Where the yield comes from.'),
    oracle: orNull(text('Oracle.'), 'What prices the collateral behind the deposits; null if nothing does.'),
    exit: Type.Optional(text('Why withdrawals take time; absent if they are paid at once, or not at all.')),
    controls: Type.Array(Control, { description: 'Powers over deposits. Nobody has a power that is not listed.' }),
    sources: Type.Array(text('URL, or a folder of the repository.'), { description: 'Where these facts come from.' }),
    checkedOn: text('Day on which the sources were read: YYYY-MM-DD.'),
  },
  { description: 'What is known and does not come from the chain.' },
)

export function presentFactSheet(sheet: FactSheet, strategy: Strategy) {
  const controls = sheet.controls.map((control) => {
    const { power, holder, note } = control
    return { power, holder, delaySeconds: delayOf(control, strategy), note }
  })
  return { ...sheet, controls, sources: [...sheet.sources] }
}
