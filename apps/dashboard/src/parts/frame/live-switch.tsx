import { ActionIcon, Indicator } from '@mantine/core'
import { useLiveUpdates } from '../../api/live.tsx'
import { setPreferences, usePreferences } from '../../lib/page/preferences.ts'
import { PauseIcon, PlayIcon } from '../icons.tsx'

/** Live updates, and the switch that holds them still. */
export function Live() {
  const { paused } = usePreferences()
  const { state, waiting } = useLiveUpdates()
  const label = paused
    ? `Paused, ${waiting} new: resume`
    : state === 'live'
      ? 'Live: pause updates'
      : 'Updates every 15 seconds: pause'
  return (
    <Indicator disabled={waiting === 0} label={waiting} size={16} offset={4}>
      <ActionIcon
        variant="subtle"
        color={paused ? 'yellow' : state === 'live' ? 'teal' : 'gray'}
        onClick={() => setPreferences({ paused: !paused })}
        aria-label={label}
        data-tip={label}
        aria-pressed={paused}
      >
        {paused ? <PlayIcon /> : <PauseIcon />}
      </ActionIcon>
    </Indicator>
  )
}
