import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseMoment } from './moment.ts'

const shown = (text: string) => {
  const moment = parseMoment(text)
  return 'at' in moment ? new Date(moment.at).toISOString() : moment.fault
}

describe('a moment', () => {
  test.each([
    ['2026-01-15', '2026-01-15T00:00:00.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['2000-02-29', '2000-02-29T00:00:00.000Z'],
    ['0001-01-01', '0001-01-01T00:00:00.000Z'],
    ['0026-01-15', '0026-01-15T00:00:00.000Z'],
    ['9999-12-31', '9999-12-31T00:00:00.000Z'],
    ['20260115', '2026-01-15T00:00:00.000Z'],
    ['2026-01-15T10:15:30Z', '2026-01-15T10:15:30.000Z'],
    ['2026-01-15t10:15:30z', '2026-01-15T10:15:30.000Z'],
    ['2026-01-15T10:15Z', '2026-01-15T10:15:00.000Z'],
    ['2026-01-15T10Z', '2026-01-15T10:00:00.000Z'],
    ['2026-01-15T10:15:30', '2026-01-15T10:15:30.000Z'],
    ['2026-01-15 10:15:30', '2026-01-15T10:15:30.000Z'],
    ['20260115T101530Z', '2026-01-15T10:15:30.000Z'],
    ['20260115T1015+0200', '2026-01-15T08:15:00.000Z'],
    ['20260115T101530,25Z', '2026-01-15T10:15:30.250Z'],
    ['2026-01-15T10:15:30+02:00', '2026-01-15T08:15:30.000Z'],
    ['2026-01-15T10:15:30 02:00', '2026-01-15T08:15:30.000Z'],
    ['2026-01-15T10:15:30+0200', '2026-01-15T08:15:30.000Z'],
    ['2026-01-15T10:15:30+02', '2026-01-15T08:15:30.000Z'],
    ['2026-01-15T10:15:30-05:30', '2026-01-15T15:45:30.000Z'],
    ['2026-01-15T10:15:30−05:30', '2026-01-15T15:45:30.000Z'],
    ['2026-01-01T01:00:00+14:00', '2025-12-31T11:00:00.000Z'],
    ['2026-01-15T10:15:30-00:00', '2026-01-15T10:15:30.000Z'],
    ['2026-01-15T24:00', '2026-01-16T00:00:00.000Z'],
    ['2026-12-31T24:00:00.000+00:00', '2027-01-01T00:00:00.000Z'],
    ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00.000Z'],
    ['2017-01-01T01:59:60.5+02:00', '2017-01-01T00:00:00.000Z'],
    ['2026-01-15T10:15:30.5Z', '2026-01-15T10:15:30.500Z'],
    ['2026-01-15T10:15:30,123Z', '2026-01-15T10:15:30.123Z'],
    ['2026-01-15T10:15:30.123000Z', '2026-01-15T10:15:30.123Z'],
    // Views have whole milliseconds: before this moment are those of 123 ms, and from it on those of 124 ms.
    ['2026-01-15T10:15:30.123000001Z', '2026-01-15T10:15:30.124Z'],
    ['2026-01-15T23:59:59.9999999Z', '2026-01-16T00:00:00.000Z'],
    [`2026-01-15T10:15:30.${'1'.repeat(70)}Z`, '2026-01-15T10:15:30.112Z'],
  ])('%s is %s', (text, moment) => {
    expect(shown(text)).toBe(moment)
  })

  test.each([
    ['2026-02-30', 'no such day'],
    ['2025-02-29', 'no such day'],
    ['1900-02-29', 'no such day'],
    ['2026-13-01', 'no such day'],
    ['2026-00-10', 'no such day'],
    ['2026-01-00', 'no such day'],
    ['2026-01-32', 'no such day'],
    ['20261301', 'no such day'],
    ['2026-01-15T25:00', 'no such time'],
    ['2026-01-15T24:01', 'no such time'],
    ['2026-01-15T24:00:00.0001', 'no such time'],
    ['2026-01-15T10:60', 'no such time'],
    ['2026-01-15T10:15:61', 'no such time'],
    ['2026-01-15T10:15:60', 'no such time'],
    ['2026-01-15T10:59:60Z', 'second 60 comes only before midnight'],
    ['2026-01-15T23:59:60+02:00', 'second 60 comes only before midnight'],
    ['2026-01-15T10:15+24:00', 'no such offset'],
    ['2026-01-15T10:15+02:60', 'no such offset'],
    ['2026-W03-4', 'weeks are not understood'],
    ['2026W034', 'weeks are not understood'],
    ['2026-015', 'days of the year are not understood'],
    ['2026015', 'days of the year are not understood'],
    ['0000-01-01', 'years 0001 to 9999'],
    ['0001-01-01T00:00+01:00', 'years 0001 to 9999'],
    ['9999-12-31T24:00', 'years 0001 to 9999'],
    ['', 'expected a date such as 2026-01-15'],
    ['yesterday', 'found "yesterday"'],
    ['now', 'found "now"'],
    ['2026', 'expected a date'],
    ['2026-01', 'expected a date'],
    ['2026-1-5', 'expected a date'],
    ['15.01.2026', 'expected a date'],
    ['01/15/2026', 'expected a date'],
    ['1768435200000', 'expected a date'],
    ['+002026-01-15', 'expected a date'],
    ['2026-01-15Z', 'expected a date'],
    ['2026-01-15T', 'expected a date'],
    ['2026-01-15T10:15:30.Z', 'expected a date'],
    ['2026-01-15T10.5', 'expected a date'],
    ['2026-01-15T101530Z', 'expected a date'],
    ['20260115T10:15:30Z', 'expected a date'],
    ['2026-01-15T10:15:30 Europe/Berlin', 'expected a date'],
    [' 2026-01-15', 'expected a date'],
    ['2026-01-15\n', 'expected a date'],
    ['２０２６-01-15', 'expected a date'],
    ['2026-01-15T10:15:30Z; drop table', 'expected a date'],
  ])('%j is none, and the fault says: %s', (text, fault) => {
    expect(shown(text)).toContain(fault)
  })

  test('a fault is short, whatever was sent', () => {
    for (const text of ['9'.repeat(10_000), `2026-01-15T10:15:30.${'1'.repeat(10_000)}Z`, '\u202e\0'.repeat(49)]) {
      const fault = shown(text)
      expect(fault.length).toBeLessThan(250)
      expect(fault).not.toMatch(/\p{C}/u)
    }
    expect(shown('x'.repeat(10_000))).toContain('found 10000 characters')
  })
})

describe('for any text', () => {
  const moments = fc.date({
    min: new Date('0001-01-02T00:00:00Z'),
    max: new Date('9999-12-30T00:00:00Z'),
    noInvalidDate: true,
  })

  test('a moment written with any offset, separator and fraction is read as itself', () => {
    const offsets = fc.integer({ min: -14 * 60, max: 14 * 60 })
    const finer = fc.stringMatching(/^0{0,30}$/)
    fc.assert(
      fc.property(moments, offsets, finer, fc.constantFrom('T', 't', ' '), (date, offset, zeros, separator) => {
        const local = new Date(date.getTime() + offset * 60_000).toISOString().replace('T', separator)
        const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60]
        const zone = `${offset < 0 ? '-' : '+'}${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`
        const at = { at: date.getTime() }
        expect(parseMoment(local.replace('Z', `${zeros}${zone}`))).toEqual(at)
        expect(parseMoment(local.replace('Z', `${zeros}${zone.replace(':', '')}`))).toEqual(at)
        expect(parseMoment(local.replace('Z', `${zeros}${zone.replace('+', ' ')}`))).toEqual(at)
      }),
    )
  })

  test('of all days that can be written, exactly those of the calendar are read', () => {
    const part = (max: number) => fc.integer({ min: 0, max })
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9999 }), part(13), part(32), (year, month, day) => {
        const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
        const lengths = [0, 31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31, 0]
        const text = [String(year).padStart(4, '0'), String(month).padStart(2, '0'), String(day).padStart(2, '0')]
        const isDay = day >= 1 && day <= lengths[month]!
        for (const written of [text.join('-'), text.join('')]) {
          expect('at' in parseMoment(written)).toBe(isDay)
          if (isDay) expect(shown(written)).toBe(`${text.join('-')}T00:00:00.000Z`)
        }
      }),
      { numRuns: 1000 },
    )
  })

  test('the answer is a moment or a short fault, never an error', () => {
    const near = fc.tuple(moments, fc.nat(), fc.string({ unit: 'binary', maxLength: 3 })).map(([date, at, odd]) => {
      const text = date.toISOString()
      return `${text.slice(0, at % 25)}${odd}${text.slice((at % 25) + (at % 3))}`
    })
    fc.assert(
      fc.property(fc.oneof(near, fc.string({ unit: 'binary', maxLength: 200 })), (text) => {
        const moment = parseMoment(text)
        if ('fault' in moment) expect(moment.fault.length).toBeLessThan(250)
        else expect(Number.isSafeInteger(moment.at)).toBe(true)
      }),
      { numRuns: 1000 },
    )
  })

  test('a finer moment separates views of whole milliseconds as the moment itself does', () => {
    const micros = fc.bigInt({ min: 0n, max: 1_900_000_000_000_000n })
    fc.assert(
      fc.property(micros, fc.integer({ min: -2, max: 2 }), (exact, near) => {
        const milliseconds = exact / 1000n
        const second = new Date(Number(milliseconds)).toISOString().slice(0, 19)
        const text = `${second}.${String(exact % 1_000_000n).padStart(6, '0')}Z`
        const moment = parseMoment(text)
        const view = milliseconds + BigInt(near)
        expect('at' in moment && Number(view) < moment.at).toBe(view * 1000n < exact)
      }),
    )
  })
})
