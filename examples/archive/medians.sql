-- The median of each release in each scenario, as on the report's page.
SELECT report, machine, implementation, version, variant, scenario, unit,
       median(value) AS median, count(value) AS runs
FROM read_csv('content/perf/*/data.csv')
GROUP BY ALL ORDER BY ALL;
