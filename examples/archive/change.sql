-- Changes of rustls between two reports of one machine: the ratio of the medians.
WITH medians AS (
    SELECT report, machine, scenario, unit, median(value) AS median
    FROM read_csv('content/perf/*/data.csv')
    WHERE implementation = 'rustls' AND report IN ('2025-07-31-x86_64', '2026-03-07-x86_64')
    GROUP BY ALL)
SELECT scenario, unit, old.median AS old, new.median AS new, new.median / old.median AS ratio
FROM medians AS old JOIN medians AS new USING (machine, scenario, unit)
WHERE old.report < new.report ORDER BY ratio;
