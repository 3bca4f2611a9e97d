import { Box, Button, Group, Skeleton, Table, Text, useComputedColorScheme } from '@mantine/core'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { dayNumber, labelsOf, STEPS, ticksOf } from '../../lib/dates/day-axis.ts'
import { grouped } from '../../lib/money/money.ts'
import { csvLines, download } from '../../lib/requests/csv.ts'

export interface Point {
  /** A day of UTC, such as `2026-11-27`. */
  readonly day: string
  /** Exact, as text; the table shows it. */
  readonly value: string
}

interface Props {
  readonly title: string
  readonly unit: string
  readonly points: readonly Point[]
}

const HEIGHT = 220
const DAY = 'Day (UTC)'

/** A line over days, and the same numbers as a table. Only the height of the line is a float, never a shown number. */
export function Chart({ title, unit, points }: Props) {
  const [asTable, setAsTable] = useState(false)
  return (
    <Box component="figure" m={0}>
      <Group justify="space-between" mb={4}>
        <Text component="figcaption" size="sm" fw={500}>
          {title}{' '}
          <Text span size="xs" c="dimmed" fw={400}>
            days in UTC
          </Text>
        </Text>
        <Group gap={4} className="no-print">
          <Button
            size="compact-xs"
            variant="subtle"
            color="gray"
            onClick={() => setAsTable(!asTable)}
            aria-pressed={asTable}
          >
            {asTable ? 'As a chart' : 'As a table'}
          </Button>
          <Button
            size="compact-xs"
            variant="subtle"
            color="gray"
            onClick={() =>
              download(`${title}.csv`, [csvLines([[DAY, unit], ...points.map(({ day, value }) => [day, value])])])
            }
          >
            CSV
          </Button>
        </Group>
      </Group>
      <Box h={HEIGHT} style={{ overflow: 'auto' }} tabIndex={asTable ? 0 : undefined}>
        {body()}
      </Box>
    </Box>
  )
  function body(): ReactNode {
    if (points.length === 0)
      return (
        <Text size="sm" c="dimmed" py="md">
          Nothing has been recorded yet.
        </Text>
      )
    // One day makes no line, but its number is worth reading.
    if (!asTable && points.length > 1) {
      const [first, last] = [points[0]!, points.at(-1)!]
      const label = `${title}: from ${grouped(first.value)} on ${first.day} to ${grouped(last.value)} ${unit} on ${last.day}`
      return <Line unit={unit} points={points} label={label} />
    }
    return (
      <Table aria-label={title}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{DAY}</Table.Th>
            <Table.Th ta="right">{unit}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {points.toReversed().map(({ day, value }) => (
            <Table.Tr key={day}>
              <Table.Td>{day}</Table.Td>
              <Table.Td ta="right">{grouped(value)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    )
  }
}

const LABEL_WIDTH = 64
const DIGIT_WIDTH = 7

/** Room for the longest label of the axis; a label that does not fit would lose its first digits. */
const widthOf = (labels: readonly string[] | null) =>
  Math.max(LABEL_WIDTH, ...(labels ?? []).map((label) => (label.length + 2) * DIGIT_WIDTH))

function Line({
  unit,
  points,
  label,
}: {
  readonly unit: string
  readonly points: readonly Point[]
  readonly label: string
}) {
  const holder = useRef<HTMLDivElement>(null)
  const [drawn, setDrawn] = useState(false)
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false })
  useEffect(() => {
    let plot: { destroy: () => void; setSize: (size: { width: number; height: number }) => void } | undefined
    let observer: ResizeObserver | undefined
    let gone = false
    void Promise.all([import('uplot'), import('uplot/dist/uPlot.min.css')]).then(([{ default: UPlot }]) => {
      const element = holder.current
      if (gone || element === null) return
      const ink = scheme === 'dark' ? '#98a1ac' : '#5b6570'
      const grid = scheme === 'dark' ? '#2a323b' : '#e9ecef'
      const line = scheme === 'dark' ? '#63b5ad' : '#0b5c5c'
      const axis = {
        stroke: ink,
        grid: { stroke: grid, width: 1 },
        ticks: { stroke: grid, width: 1 },
        font: '11px system-ui',
      }
      plot = new UPlot(
        {
          width: element.clientWidth,
          height: HEIGHT - 4,
          legend: { show: false },
          cursor: { y: false },
          scales: { x: { time: false, range: (_, first, last) => [first, last] } },
          axes: [
            {
              ...axis,
              incrs: STEPS,
              splits: (_, _axis, ...[first, last, step]) => ticksOf(first, last, step),
              values: (_, ticks) => labelsOf(ticks),
            },
            { ...axis, size: (_, labels) => widthOf(labels) },
          ],
          series: [{}, { label: unit, stroke: line, width: 2, fill: `${line}18`, points: { show: false } }],
        },
        [points.map(({ day }) => dayNumber(day)), points.map(({ value }) => Number(value))],
        element,
      )
      setDrawn(true)
      observer = new ResizeObserver(() => plot?.setSize({ width: element.clientWidth, height: HEIGHT - 4 }))
      observer.observe(element)
    })
    return () => {
      gone = true
      observer?.disconnect()
      plot?.destroy()
    }
  }, [points, unit, scheme])
  return (
    <div ref={holder} role="img" aria-label={label} className="chart">
      {!drawn && <Skeleton height={HEIGHT - 8} />}
    </div>
  )
}
